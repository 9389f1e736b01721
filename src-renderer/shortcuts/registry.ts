import { type ActionId, ACTIONS, keysOf } from './actions.ts';
import { type PressedKeys, pressedCombination } from './keys.ts';

/** Time within which the second key of two must follow. */
const SEQUENCE_MS = 1_200;

export interface Shortcuts {
  /** An action can be done now; the newest for the same keys is asked first. Returns what ends it. */
  offer(id: ActionId, run: () => void): () => void;
  /** Does an action by name, as the palette and native menus do; false when it is not offered now. */
  run(id: ActionId): boolean;
  /** Actions that can be done now. */
  offered(): ActionId[];
  /** A person's own keys by action. */
  setOwnKeys(own: Readonly<Record<string, string>>): void;
  ownKeys(): Readonly<Record<string, string>>;
  keysOf(id: ActionId): string;
  /** Returns true when the key did something. */
  onKey(event: PressedKeys, at: { inField: boolean; apple: boolean; nowMs: number }): boolean;
}

export function createShortcuts(): Shortcuts {
  const offers: Array<{ id: ActionId; run: () => void }> = [];
  let own: Readonly<Record<string, string>> = {};
  let before: { chord: string; atMs: number } | null = null;

  const newest = (wanted: (id: ActionId) => boolean) => offers.findLast(({ id }) => wanted(id));

  return {
    offer(id, run) {
      const offer = { id, run };
      offers.push(offer);
      return () => void offers.splice(offers.indexOf(offer), 1);
    },
    run(id) {
      const offer = newest((known) => known === id);
      offer?.run();
      return offer !== undefined;
    },
    offered: () => [...new Set(offers.map(({ id }) => id))],
    setOwnKeys(keys) {
      own = keys;
    },
    ownKeys: () => own,
    keysOf: (id) => keysOf(id, own),
    onKey(event, { inField, apple, nowMs }) {
      const chord = pressedCombination(event, apple);
      if (chord === null) return false;
      const isPlain =
        !chord.includes('mod+') && !chord.includes('ctrl+') && !chord.includes('alt+');
      if (inField && isPlain) return false;
      const first = before !== null && nowMs - before.atMs < SEQUENCE_MS ? before.chord : null;
      before = { chord, atMs: nowMs };
      const pair =
        first === null ? undefined : newest((id) => keysOf(id, own) === `${first} ${chord}`);
      const offer = pair ?? newest((id) => keysOf(id, own) === chord);
      if (offer === undefined) return false;
      before = null;
      offer.run();
      return true;
    },
  };
}

/** Actions whose keys are the same and that could be meant at the same time, in pairs. */
export function conflicts(own: Readonly<Record<string, string>>): Array<[ActionId, ActionId]> {
  const ids = Object.keys(ACTIONS) as ActionId[];
  const found: Array<[ActionId, ActionId]> = [];
  for (const [index, one] of ids.entries()) {
    for (const other of ids.slice(index + 1)) {
      if (keysOf(one, own) === keysOf(other, own) && canMeet(one, other)) found.push([one, other]);
    }
  }
  return found;
}

/** Actions of the list, of a session and of its review are never offered together with each other. */
function canMeet(one: ActionId, other: ActionId): boolean {
  const [first, second] = [ACTIONS[one].group, ACTIONS[other].group];
  const everywhere = (group: string) => group === 'general' || group === 'go';
  return first === second || everywhere(first) || everywhere(second);
}
