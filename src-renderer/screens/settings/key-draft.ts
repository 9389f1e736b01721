import { ACTION_IDS, type ActionId, ACTIONS, keysOf } from '../../shortcuts/actions.ts';
import { conflicts } from '../../shortcuts/registry.ts';

/** A person's own keys while they are edited. All pure. */

export type OwnKeys = Readonly<Record<string, string>>;

/** Keys with one more choice; an action's usual keys are no choice. */
export function withKeys(own: OwnKeys, id: ActionId, keys: string | null): OwnKeys {
  const { [id]: _, ...rest } = own;
  return keys === null || keys === ACTIONS[id].keys ? rest : { ...rest, [id]: keys };
}

/**
 * Actions that stand in each other's way: the same keys, or keys that another's two begin with, which
 * then never get as far as the second.
 */
export function keyConflicts(own: OwnKeys): Map<ActionId, ActionId[]> {
  const found = new Map<ActionId, ActionId[]>();
  const add = (one: ActionId, other: ActionId) =>
    found.set(one, [...(found.get(one) ?? []), other]);
  for (const [one, other] of [...conflicts(own), ...hidden(own)]) {
    add(one, other);
    add(other, one);
  }
  return found;
}

function hidden(own: OwnKeys): Array<[ActionId, ActionId]> {
  const pairs = ACTION_IDS.filter((id) => keysOf(id, own).includes(' '));
  return pairs.flatMap((pair) => {
    const [first = ''] = keysOf(pair, own).split(' ');
    return ACTION_IDS.filter((id) => keysOf(id, own) === first).map((id): [ActionId, ActionId] => [
      pair,
      id,
    ]);
  });
}

/** What browsers do with these cannot be prevented by a page. */
const RESERVED: ReadonlySet<string> = new Set(
  ['n', 't', 'w', 'tab', 'shift+n', 'shift+t', 'shift+w', 'pageup', 'pagedown'].map(
    (key) => `mod+${key}`,
  ),
);

export function isReserved(keys: string): boolean {
  return keys.split(' ').some((chord) => RESERVED.has(chord));
}

/** Keys while they are pressed: a plain sign may be the first of two. */
export function nextKeys(before: string | null, chord: string): { keys: string; waits: boolean } {
  if (before !== null) return { keys: `${before} ${chord}`, waits: false };
  return { keys: chord, waits: !chord.includes('+') || chord === '+' };
}
