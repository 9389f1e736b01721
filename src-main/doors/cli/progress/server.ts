import type { ServerStatus } from '../../../contract/index.ts';
import type { Console } from '../console.ts';
import { formatClock } from '../render/format.ts';
import { oneLine } from '../render/safe-text.ts';
import { createLiveBlock } from './live-block.ts';

const TICK_MS = 1000;

/** `loading frog  loading weights (2 of 4)  0:12`: what a server does while it starts or stops. */
export function serverLine(status: ServerStatus, now: number): string {
  const { state, name, progress, restarts } = status;
  const again = restarts > 0 ? `  restart ${restarts}` : '';
  const what = progress === null ? '' : `  ${oneLine(progress)}`;
  const clock = formatClock((now - status.since) / 1000);
  return `${state} ${oneLine(name)}${what}${again}  ${clock}`;
}

/** Shows a start on stderr: redrawn in place on a terminal, one line per news elsewhere. */
export function watchServer(console: Console): {
  onStatus: (status: ServerStatus) => void;
  /** What is done with the server now: in its place, until the next. */
  doing: (text: string) => void;
  /** A line that stays. */
  say: (text: string) => void;
  end: () => void;
} {
  const block = createLiveBlock(console);
  const isTerminal = console.errSize() !== null;
  let last: ServerStatus | null = null;
  let said = '';
  let doing: string | null = null;
  const draw = (above: readonly string[] = []): void => {
    const line = doing ?? (last === null ? null : serverLine(last, Date.now()));
    if (line !== null || above.length > 0) block.draw(line === null ? [] : [line], above);
  };
  const timer = setInterval(() => draw(), TICK_MS);
  timer.unref();
  return {
    onStatus: (status) => {
      last = status;
      if (isTerminal) draw();
      const news = [status.state, oneLine(status.name), oneLine(status.progress ?? '')]
        .join(' ')
        .trim();
      if (!isTerminal && news !== said) console.err(`${news}\n`);
      said = news;
    },
    doing: (text) => {
      doing = oneLine(text);
      if (isTerminal) draw();
      else console.err(`${doing}\n`);
    },
    say: (text) => {
      if (isTerminal) draw([text]);
      else console.err(`${text}\n`);
    },
    end: () => {
      clearInterval(timer);
      block.end();
    },
  };
}
