/** A reward as a verifier left it, or why there is none. */
export type Reward =
  | { kind: 'valid'; reward: number; rewards: Record<string, number>; full: boolean }
  | { kind: 'none'; why: string };

const MAX_BYTES = 1 << 20;
const MAX_MEMBERS = 1_000;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Harbor's rule: `reward.json` (a number, or an object of numbers) counts before `reward.txt`. What
 * is missing, empty or not finite is an error of the verifier and no 0.
 *
 * Of an object the member `reward` is the reward, else its only member, else the smallest: all of
 * them must be reached. `full`: the task counts as solved.
 */
export function readReward(files: Readonly<Record<string, Uint8Array>>): Reward {
  const json = files['reward.json'];
  if (json !== undefined) return fromJson(json);
  const text = files['reward.txt'];
  if (text !== undefined) return fromText(text);
  return none('it left neither reward.json nor reward.txt');
}

function fromText(bytes: Uint8Array): Reward {
  const text = Buffer.from(bytes.subarray(0, 1_000)).toString('utf8').trim();
  if (text === '') return none('reward.txt is empty');
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) return none(`reward.txt holds no number: ${shown(text)}`);
  return single(value);
}

function fromJson(bytes: Uint8Array): Reward {
  if (bytes.length > MAX_BYTES) return none('reward.json is too large');
  const text = Buffer.from(bytes).toString('utf8');
  if (text.trim() === '') return none('reward.json is empty');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return none(`reward.json is no JSON: ${shown(text)}`);
  }
  if (typeof value === 'number' && Number.isFinite(value)) return single(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return none(`reward.json holds no number and no object: ${shown(text)}`);
  }
  return fromMembers(Object.entries(value));
}

function fromMembers(entries: [string, unknown][]): Reward {
  if (entries.length === 0) return none('reward.json holds an empty object');
  if (entries.length > MAX_MEMBERS) return none('reward.json has too many members');
  const rewards: Record<string, number> = {};
  for (const [name, value] of entries) {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return none(`${shown(name)} of reward.json is no finite number`);
    }
    rewards[name] = value;
  }
  const values = Object.values(rewards);
  const reward = rewards['reward'] ?? Math.min(...values);
  return { kind: 'valid', reward, rewards, full: reward >= 1 };
}

function single(reward: number): Reward {
  return { kind: 'valid', reward, rewards: { reward }, full: reward >= 1 };
}

function none(why: string): Reward {
  return { kind: 'none', why };
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text);
}
