import type { StoredEvent } from '../../../contract/index.ts';
import type { Progress } from '../../../core/index.ts';
import type { Console } from '../console.ts';
import { wrapLine } from '../render/wrap.ts';
import { createLiveBlock } from './live-block.ts';
import { createTracker } from './tracker.ts';

/** Streams come in faster than eyes follow; the block is drawn at most this often. */
const DRAW_EVERY_MS = 100;
/** The clock moves on also when nothing else does. */
const TICK_MS = 1000;

/** Shows a session that runs on stderr: a live block on a terminal, plain lines elsewhere. */
export interface Watch {
  onProgress: (progress: Progress) => void;
  onEvent: (event: StoredEvent) => void;
  /** A line of ours in between. */
  say(line: string): void;
  /** Takes the block away; safe to call twice. */
  end(): void;
}

function watchPlain(console: Console): Watch {
  const tracker = createTracker();
  const say = (line: string): void => console.err(`${line}\n`);
  return {
    onProgress: (progress) => {
      const phase = tracker.progress(progress);
      if (phase !== null) say(phase);
    },
    onEvent: (event) => tracker.event(event).forEach(say),
    say,
    end: () => undefined,
  };
}

function watchLive(console: Console): Watch {
  const tracker = createTracker();
  const block = createLiveBlock(console);
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  function draw(above: readonly string[] = []): void {
    if (ended) return;
    clearTimeout(timer);
    const columns = console.errSize()?.columns ?? Infinity;
    const rows = above.flatMap((line) => wrapLine(line, columns));
    block.draw(tracker.lines((performance.now() - startedAt) / 1000), rows);
    lastDrawn = performance.now();
    schedule(TICK_MS);
  }
  let lastDrawn = Number.NEGATIVE_INFINITY;
  let due = Infinity;
  function schedule(inMs: number): void {
    due = performance.now() + inMs;
    timer = setTimeout(draw, inMs);
    timer.unref();
  }
  function drawSoon(): void {
    const wait = Math.max(0, lastDrawn + DRAW_EVERY_MS - performance.now());
    if (ended || performance.now() + wait >= due) return;
    clearTimeout(timer);
    schedule(wait);
  }
  const stopResize = console.onErrResize(() => draw());
  draw();
  return {
    onProgress: (progress) => {
      tracker.progress(progress);
      drawSoon();
    },
    onEvent: (event) => {
      const lines = tracker.event(event);
      if (lines.length > 0) draw(lines);
      else drawSoon();
    },
    say: (line) => draw([line]),
    end: () => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      stopResize();
      block.end();
    },
  };
}

/** Starts to show a session on this console. */
export function watch(console: Console): Watch {
  return console.errSize() === null ? watchPlain(console) : watchLive(console);
}
