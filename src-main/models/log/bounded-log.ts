import { cleanLine } from './clean-line.ts';
import { createLineRing } from './line-ring.ts';
import { openLogFiles, type LogFilesOptions } from './log-files.ts';

/** What a server prints: bounded on disk and in memory, the first error kept for ever. */
export interface BoundedLog {
  readonly file: string;
  /** Keeps the line and returns it as it is shown: without colours, control characters, secrets. */
  add(line: string): string;
  /** What is kept, oldest first; the part around the first error comes first when it was long ago. */
  lines(): string[];
  /** The first line that names an error; the last line otherwise; empty when nothing was printed. */
  cause(): string;
  /** Forgets what was kept in memory: another process prints from now on. */
  restart(): void;
  close(): void;
}

export interface BoundedLogOptions extends LogFilesOptions {
  secrets?: readonly string[];
}

/** Longer lines are of no use to anybody who reads them. */
const MAX_LINE = 8_100;
const RING_LINES = 2_000;
const RING_CHARACTERS = 1024 * 1024;
/** A traceback ends with what matters, so what follows the first error is kept with it. */
const ERROR_LINES = 120;

const ERROR =
  /^(\([^)]*\) )?(error|fatal|critical)\b|^\[[^\]]*\b(error|fatal)\b|\berror:|GGML_ASSERT|CUDA error|terminate called|Segmentation fault|FATAL ERROR|Traceback \(most recent|\b\w+(Error|Exception): /i;

export function openBoundedLog(options: BoundedLogOptions): BoundedLog {
  const files = openLogFiles(options);
  const secrets = options.secrets ?? [];
  let ring = createLineRing(RING_LINES, RING_CHARACTERS);
  let errors: string[] = [];
  let last = '';
  return {
    file: options.file,
    add: (raw) => {
      const line = cleanLine(raw.slice(0, MAX_LINE), secrets);
      if (line.trim() !== '') last = line;
      if (errors.length > 0 ? errors.length < ERROR_LINES : ERROR.test(line)) errors.push(line);
      ring.add(line);
      files.write(line);
      return line;
    },
    lines: () => {
      const kept = ring.lines();
      const [first] = errors;
      return first === undefined || kept.includes(first) ? kept : [...errors, ...kept];
    },
    cause: () => (errors[0] ?? last).trim(),
    restart: () => {
      ring = createLineRing(RING_LINES, RING_CHARACTERS);
      errors = [];
      last = '';
    },
    close: () => files.close(),
  };
}
