import type { RunProgress } from '../../../core/index.ts';
import type { Console } from '../console.ts';
import { formatClock, formatSeconds } from '../render/format.ts';
import { oneLine } from '../render/safe-text.ts';
import { wrapLine } from '../render/wrap.ts';
import { createLiveBlock } from './live-block.ts';

/** Shows a run on stderr: a live block on a terminal, a line for each cell elsewhere. */
export interface EvalWatch {
  onProgress: (progress: RunProgress) => void;
  say: (line: string) => void;
  end: () => void;
}

const DRAW_EVERY_MS = 200;
const TICK_MS = 1000;

/** Starts to show a run on this console. */
export function watchEval(console: Console): EvalWatch {
  return console.errSize() === null ? watchPlain(console) : watchLive(console);
}

function watchPlain(console: Console): EvalWatch {
  const say = (line: string): void => console.err(`${oneLine(line)}\n`);
  let shown: RunProgress['last'] = null;
  return {
    say,
    onProgress: (progress) => {
      if (progress.last === null || progress.last === shown) return;
      shown = progress.last;
      say(`${cellLine(progress.last)} | ${tallyLine(progress)}`);
    },
    end: () => undefined,
  };
}

function watchLive(console: Console): EvalWatch {
  const block = createLiveBlock(console);
  const startedAt = performance.now();
  let progress: RunProgress | null = null;
  let shown: RunProgress['last'] = null;
  let lastDrawn = Number.NEGATIVE_INFINITY;
  let ended = false;

  function draw(above: readonly string[] = []): void {
    if (ended) return;
    const columns = console.errSize()?.columns ?? Infinity;
    const clock = formatClock((performance.now() - startedAt) / 1000);
    block.draw(
      progress === null ? [`starts ...  ${clock}`] : liveLines(progress, clock),
      above.flatMap((line) => wrapLine(oneLine(line), columns)),
    );
    lastDrawn = performance.now();
  }
  const timer = setInterval(() => draw(), TICK_MS);
  timer.unref();
  const stopResize = console.onErrResize(() => draw());
  return {
    say: (line) => draw([line]),
    onProgress: (now) => {
      progress = now;
      if (now.last !== null && now.last !== shown) {
        shown = now.last;
        draw([cellLine(now.last)]);
      } else if (performance.now() - lastDrawn > DRAW_EVERY_MS) draw();
    },
    end: () => {
      if (ended) return;
      ended = true;
      clearInterval(timer);
      stopResize();
      block.end();
    },
  };
}

function cellLine(cell: NonNullable<RunProgress['last']>): string {
  const what = cell.grading?.summary ?? cell.detail ?? cell.state;
  return oneLine(`${cell.task} seed ${cell.seed}: ${what}`);
}

/** `12 of 1,500 done, 8 resolved, 1 infra; about 2 h 10 min left (1 h 50 min to 2 h 40 min)`. */
export function tallyLine({ total, finished, resolved, infra, secondsLeft }: RunProgress): string {
  const counts = `${finished} of ${total} done, ${resolved} resolved, ${infra} infra`;
  if (finished === total) return counts;
  if (secondsLeft === null) return `${counts}; time left not known yet`;
  const { likely, low, high } = secondsLeft;
  const range = `${formatSeconds(low)} to ${formatSeconds(high)}`;
  return `${counts}; about ${formatSeconds(likely)} left (${range})`;
}

/** What is shown while it runs: the tally, then a line for each cell that runs. */
export function liveLines(progress: RunProgress, clock: string): string[] {
  const running = progress.running.map(({ task, entry, seed, step }) => {
    const doing = step === 0 ? 'begins' : `step ${step}`;
    return `  ${oneLine(`${task} seed ${seed}, ${doing} | ${entry}`)}`;
  });
  const held = progress.held === null ? [] : [`  waits: ${oneLine(progress.held)}`];
  return [`${tallyLine(progress)} | ${clock}`, ...running, ...held];
}
