import type { ErrorCode } from '../contract/index.ts';
import { VivariumError } from '../lib/index.ts';

/**
 * Of at most two rows whose ids begin with what was given, an exact one first, the one that is meant.
 * @throws VivariumError with the code, where there is none or several are meant
 */
export function theOne<T>(
  [first, second]: readonly T[],
  idOf: (row: T) => string,
  given: string,
  { code, one, list }: { code: ErrorCode; one: string; list: string },
): T {
  if (first === undefined) {
    throw new VivariumError(code, `there is no ${one} "${given}"`, `See ${list} for the ids.`);
  }
  if (second === undefined || idOf(first) === given) return first;
  throw new VivariumError(
    code,
    `several ${one}s begin with "${given}"`,
    `Give more characters of the id; ${list} lists them.`,
  );
}
