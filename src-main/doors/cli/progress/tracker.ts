import type { StoredEvent } from '../../../contract/index.ts';
import type { Progress } from '../../../core/index.ts';
import { formatSize } from '../../../lib/index.ts';
import { eventLines } from '../render/event-lines.ts';
import { formatClock, formatCount } from '../render/format.ts';
import { oneLine } from '../render/safe-text.ts';
import { whatItDid } from '../render/step-line.ts';

/** What streams in is shown by its end; more than this of it is never on screen. */
const STREAM_CHARACTERS = 400;

interface AttemptView {
  number: number;
  step: number;
  doing: string;
  /** What the model streams, and what kind of text it is. */
  stream: { kind: string; text: string };
  contextTokens: number | null;
  writtenTokens: number | null;
  workspaceBytes: number | null;
  modelBytes: number | null;
}

/** Follows a session as it runs and says it in lines. */
export interface Tracker {
  /** Takes in what happens right now; returns the phase that began, if one did. */
  progress(progress: Progress): string | null;
  /** Takes in what was stored; returns lines that are worth keeping. */
  event(event: StoredEvent): string[];
  /** What is going on at `seconds` after the start, to be shown until the next call. */
  lines(seconds: number): string[];
}

function newView(number: number): AttemptView {
  return {
    number,
    step: 0,
    doing: 'begins',
    stream: { kind: '', text: '' },
    contextTokens: null,
    writtenTokens: null,
    workspaceBytes: null,
    modelBytes: null,
  };
}

const STREAM_WORDS = { content: 'writes', reasoning: 'thinks', call: 'calls' } as const;

function takeDelta(view: AttemptView, at: Extract<Progress['at'], { kind: 'delta' }>): void {
  const { delta } = at;
  if (delta.kind === 'restart') {
    view.doing = `tries again: ${delta.reason}`;
    view.stream = { kind: '', text: '' };
    return;
  }
  const kind = STREAM_WORDS[delta.kind];
  const name = delta.kind === 'call' && delta.name !== undefined ? `${delta.name} ` : '';
  const before = view.stream.kind === kind ? view.stream.text : '';
  view.stream = { kind, text: `${before}${name}${delta.text}`.slice(-STREAM_CHARACTERS) };
  view.doing = '';
}

function takeActivity(view: AttemptView, at: Progress['at']): void {
  switch (at.kind) {
    case 'phase':
      view.doing = at.text;
      return;
    case 'model':
      view.step = at.step;
      view.doing = 'waits for the model';
      view.stream = { kind: '', text: '' };
      return;
    case 'delta':
      view.step = at.step;
      takeDelta(view, at);
      return;
    case 'tool':
      view.step = at.step;
      view.doing = `runs ${at.name} ${at.summary}`;
      return;
    case 'note':
      view.doing = at.text;
      return;
    case 'memory':
      view.workspaceBytes = at.workspaceBytes;
      view.modelBytes = at.modelBytes;
      return;
  }
}

function contextWords({ contextTokens, writtenTokens }: AttemptView): string {
  if (contextTokens === null && writtenTokens === null) return 'tokens not counted yet';
  return `${formatCount(contextTokens)} tokens in context, ${formatCount(writtenTokens)} written`;
}

function viewLines(view: AttemptView, clock: string): string[] {
  // The end of what streams is the news; its beginning went by already.
  const tail = oneLine(view.stream.text).slice(-60);
  const doing = view.doing === '' ? `${view.stream.kind} ${tail}` : oneLine(view.doing);
  const facts = [
    contextWords(view),
    ...(view.workspaceBytes === null ? [] : [`workspace ${formatSize(view.workspaceBytes)}`]),
    ...(view.modelBytes === null ? [] : [`model ${formatSize(view.modelBytes)}`]),
    clock,
  ];
  const place = view.step === 0 ? '' : `step ${view.step}: `;
  return [`[${view.number}] ${place}${doing}`, `    ${facts.join(' | ')}`];
}

/** A tracker at the start of a session. */
export function createTracker(): Tracker {
  const views = new Map<string, AttemptView>();
  let phase = 'starts';

  function viewOf(attemptId: string, number: number): AttemptView {
    const view = views.get(attemptId) ?? newView(number);
    views.set(attemptId, view);
    return view;
  }

  /** Returns the number of the attempt. */
  function takeEvent({ attemptId, body }: StoredEvent): number {
    if (attemptId === null) return 0;
    const view = viewOf(attemptId, body.type === 'attempt.started' ? body.number : 0);
    if (body.type === 'attempt.started') view.number = body.number;
    if (body.type === 'step.finished') {
      const { promptTokens, completionTokens } = body.usage;
      view.step = body.step;
      view.doing = whatItDid(body);
      view.contextTokens = promptTokens;
      if (completionTokens !== null)
        view.writtenTokens = (view.writtenTokens ?? 0) + completionTokens;
    }
    return view.number;
  }

  const ended = new Set<string>();
  return {
    progress({ attemptId, attempt, at }) {
      if (attemptId !== null && at.kind !== 'phase') {
        takeActivity(viewOf(attemptId, attempt), at);
        return null;
      }
      if (at.kind !== 'phase') return null;
      phase = oneLine(at.text);
      if (attemptId !== null) viewOf(attemptId, attempt).doing = at.text;
      return attempt === 0 ? phase : `[${attempt}] ${phase}`;
    },
    event(event) {
      const number = takeEvent(event);
      if (event.attemptId !== null) {
        if (event.body.type === 'attempt.started') ended.delete(event.attemptId);
        if (event.body.type === 'attempt.finished') {
          ended.add(event.attemptId);
          phase = 'making the patch';
        }
      }
      return eventLines(number, event.body);
    },
    lines(seconds) {
      const clock = formatClock(seconds);
      const running = [...views].filter(([id]) => !ended.has(id)).map(([, view]) => view);
      if (running.length === 0) return [`${phase} ...  ${clock}`];
      return running.flatMap((view) => viewLines(view, clock));
    },
  };
}
