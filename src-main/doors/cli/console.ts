import process from 'node:process';

type Env = Readonly<Record<string, string | undefined>>;

/** Where a command writes to: results to `out`, everything else to `err`. */
export interface Console {
  /** Bytes or text of the result. */
  out(content: string | Uint8Array): void;
  /** Text for people: progress, warnings, errors. */
  err(text: string): void;
  /** Columns of stdout when it is a terminal; `null` when it is not. */
  outColumns(): number | null;
  /** Size of stderr when it is a terminal that can move its cursor; `null` when it is not. */
  errSize(): { columns: number; rows: number } | null;
  onErrResize(listener: () => void): () => void;
  /** Aborted once nobody reads stdout any more: a command without an end of its own ends then. */
  readonly outGone: AbortSignal;
  readonly env: Env;
}

/** A window that does not say its size is taken for a small one. */
const FALLBACK = { columns: 80, rows: 24 };

/**
 * The console of this process. A reader that went away (`vivarium sessions | head -1`) is no fault:
 * what is written after that goes nowhere, and the command still ends as it would have, or at once
 * where it would go on for ever (`outGone`). Any other failure to write a result is told to
 * `onOutLost`; one to write progress stops no work.
 */
export function processConsole(onOutLost: (error: Error) => void): Console {
  const { stdout, stderr, env } = process;
  const gone = new AbortController();
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    gone.abort(error);
    if (error.code !== 'EPIPE' && error.code !== 'EIO') onOutLost(error);
  });
  stderr.on('error', () => undefined);
  const write = (stream: NodeJS.WriteStream, content: string | Uint8Array): void => {
    if (stream.writable) stream.write(content);
  };
  return {
    env,
    outGone: gone.signal,
    out: (content) => write(stdout, content),
    err: (text) => write(stderr, text),
    outColumns: () => (stdout.isTTY ? stdout.columns || FALLBACK.columns : null),
    errSize: () => {
      if (!stderr.isTTY || env['TERM'] === 'dumb') return null;
      const { columns, rows } = stderr;
      return { columns: columns || FALLBACK.columns, rows: rows || FALLBACK.rows };
    },
    onErrResize: (listener) => {
      stderr.on('resize', listener);
      return () => void stderr.off('resize', listener);
    },
  };
}
