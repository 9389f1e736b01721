import { overlapLength } from './stop-watch.ts';

/** Where the parts of a reply go as they become certain. */
export interface ReplySink {
  reasoning(text: string): void;
  content(text: string): void;
}

export interface ReplySplitter {
  push(text: string): void;
  /**
   * Ends the reply; returns the text from the first call marker on (with the blanks before it),
   * which was not sent anywhere.
   */
  end(): string;
}

const THINK_OPEN = '<think>';
const THINK_CLOSE = '</think>';
const CALL_MARKERS = ['<tool_call>', '<function='];

/**
 * Splits a streamed reply into reasoning (inside a leading `<think>`), content, and call text.
 * White space is held until it is clear that it does not just separate the parts.
 *
 * @param options.thinking the prompt itself ended with an open `<think>`.
 * @param options.calls look for calls; otherwise their text is content.
 */
export function createReplySplitter(
  sink: ReplySink,
  options: { thinking: boolean; calls: boolean },
): ReplySplitter {
  let state: 'start' | 'reasoning' | 'content' | 'calls' = options.thinking ? 'reasoning' : 'start';
  let held = '';
  let fresh = true;

  /** Sends text up to `end`, without blanks at the start of a part; blanks at the end wait. */
  const emit = (send: (text: string) => void, end: number): void => {
    const text = fresh ? held.slice(0, end).trimStart() : held.slice(0, end);
    held = held.slice(end);
    if (text === '') return;
    fresh = false;
    send(text);
  };
  const enter = (next: typeof state, skip: number): void => {
    state = next;
    held = held.slice(skip);
    fresh = true;
  };

  /** One move of the machine; `false` when more text is needed. */
  const step = (): boolean => {
    if (state === 'start') return leaveStart();
    if (state === 'calls') return false;
    const markers = state === 'reasoning' ? [THINK_CLOSE] : options.calls ? CALL_MARKERS : [];
    const send = state === 'reasoning' ? sink.reasoning : sink.content;
    const at = earliest(held, markers);
    if (at !== null) {
      const blanks = at.index - held.slice(0, at.index).trimEnd().length;
      emit(send, at.index - blanks);
      if (state === 'reasoning') enter('content', blanks + at.marker.length);
      else enter('calls', 0);
      return true;
    }
    const overlap = Math.max(0, ...markers.map((marker) => overlapLength(held, marker)));
    emit(send, held.slice(0, held.length - overlap).trimEnd().length);
    return false;
  };
  const leaveStart = (): boolean => {
    const text = held.trimStart();
    if (text.startsWith(THINK_OPEN)) {
      held = text;
      enter('reasoning', THINK_OPEN.length);
      return true;
    }
    if (THINK_OPEN.startsWith(text)) return false;
    enter('content', 0);
    return true;
  };

  return {
    push: (text) => {
      held += text;
      while (step());
    },
    end: () => {
      if (state === 'calls') return held;
      if (held !== '') emit(state === 'reasoning' ? sink.reasoning : sink.content, held.length);
      return '';
    },
  };
}

function earliest(
  text: string,
  markers: readonly string[],
): { index: number; marker: string } | null {
  let best: { index: number; marker: string } | null = null;
  for (const marker of markers) {
    const index = text.indexOf(marker);
    if (index !== -1 && (best === null || index < best.index)) best = { index, marker };
  }
  return best;
}
