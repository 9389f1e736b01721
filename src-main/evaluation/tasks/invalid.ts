import { visibleLine, VivariumError } from '../../lib/index.ts';

const MAX_TEXT = 400;

/** A task or data set that is not as it has to be; `next` says what the person can do. */
export function taskInvalid(message: string, next: string, cause?: unknown): VivariumError {
  const line = visibleLine(message.replace(/\s+/g, ' ').trim());
  const short = line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
  return new VivariumError('task_invalid', short, next, cause);
}
