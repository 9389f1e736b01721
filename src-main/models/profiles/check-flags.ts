import type { Installation, ModelProfile } from '../servers/types.ts';
import { closest, didYouMean } from './closest.ts';
import { flagName } from './refused-flags.ts';

/** Engines whose parser takes the beginning of a flag for the flag: Python's argparse. */
const ABBREVIATING: ReadonlySet<string> = new Set(['vllm', 'sglang']);
/** Longer lists say less than the nearest name does. */
const MOST_CHOICES = 12;

/**
 * Flags that this installation does not know, knows only by a longer name, or knows with other
 * values; each a line for people, empty when all are fine. Parsers are checked by handing them in as
 * flags: `{ '--tool-call-parser': profile.callParser }`.
 */
export function checkFlags(flags: ModelProfile['flags'], installation: Installation): string[] {
  const names = Object.keys(flags);
  if (installation.flags === null) {
    return names.map((flag) => `${installation.shown} takes no flags; remove ${flag}`);
  }
  const known = installation.flags;
  return names.flatMap((flag) => {
    const value = flags[flag];
    if (value === undefined) return [];
    const fault = known.has(nameFor(installation, flag))
      ? faultOfValue(flag, value, installation)
      : unknown(flag, known, installation);
    return fault === null ? [] : [fault];
  });
}

/** Only vLLM takes underscores and dotted members. */
function nameFor({ engine }: Installation, flag: string): string {
  return engine === 'vllm' ? flagName(flag) : flag;
}

function unknown(flag: string, known: ReadonlySet<string>, installation: Installation): string {
  const name = flagName(flag);
  const longer = [...known].filter((one) => one.startsWith(name)).toSorted();
  const { shown, engine } = installation;
  if (ABBREVIATING.has(engine) && longer.length === 1)
    return `${flag} is short for ${longer[0] ?? ''} in ${shown}; write it out`;
  if (ABBREVIATING.has(engine) && longer.length > 1)
    return `${flag} could be ${longer.slice(0, 4).join(', ')} in ${shown}; write it out`;
  return `${shown} has no flag ${flag}${didYouMean(name, known)}`;
}

function faultOfValue(
  flag: string,
  value: string | number | boolean,
  { choices, shown, engine }: Installation,
): string | null {
  const offered = choices.get(engine === 'vllm' ? flagName(flag) : flag);
  // A member of a structured flag has values of its own.
  if (offered === undefined || typeof value === 'boolean' || flag.includes('.')) return null;
  const text = String(value);
  if (offered.includes(text)) return null;
  const near = closest(text, offered);
  const list =
    offered.length <= MOST_CHOICES ? `: ${offered.join(', ')}` : ` ${offered.length} values`;
  const hint = near === null ? '' : `; nearest is ${near}`;
  return `${shown} does not take ${flag} ${text}; it offers${list}${hint}`;
}
