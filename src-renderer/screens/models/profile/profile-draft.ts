/** A profile while it is edited: what is changed, as overrides by their YAML names. All pure. */

export type Profile = Readonly<Record<string, unknown>>;

export interface FlagRow {
  /** Stays the same while the row is edited. */
  id: number;
  name: string;
  value: string;
}

/** Changes only; a member that is as it was before is not one. */
export type Changes = Readonly<Record<string, unknown>>;

/** The value of a member, with the change where there is one. `sampling.topP` leads into a map. */
export function valueOf(profile: Profile, changes: Changes, member: string): unknown {
  if (member in changes) return changes[member];
  return inner(profile, member);
}

/** Changes with one more; back to what it was takes the change away. */
export function withChange(
  profile: Profile,
  changes: Changes,
  member: string,
  value: unknown,
): Changes {
  const { [member]: _, ...rest } = changes;
  const before = inner(profile, member) ?? null;
  return same(before, value) ? rest : { ...rest, [member]: value };
}

function inner(profile: Profile, member: string): unknown {
  let found: unknown = profile;
  for (const key of member.split('.')) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  }
  return found;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Where the engine is, as the core says it; YAML has it as `auto` or a map of one. */
export interface Source {
  kind: 'auto' | 'venv' | 'program' | 'container';
  value: string;
}

const VALUE_NAMES = { venv: 'folder', program: 'file', container: 'image' } as const;

export function sourceOf(value: unknown): Source {
  if (typeof value !== 'object' || value === null) return { kind: 'auto', value: '' };
  for (const kind of ['venv', 'program', 'container'] as const) {
    // A change of ours is written as YAML has it.
    const yaml: unknown = Reflect.get(value, kind);
    if (typeof yaml === 'string') return { kind, value: yaml };
    const name: unknown = Reflect.get(value, VALUE_NAMES[kind]);
    if (Reflect.get(value, 'kind') === kind && typeof name === 'string') {
      return { kind, value: name };
    }
  }
  return { kind: 'auto', value: '' };
}

export function sourceOverride({ kind, value }: Source): unknown {
  return kind === 'auto' ? 'auto' : { [kind]: value };
}

/** Rows of the flags; each has its value as text. */
export function flagRows(flags: unknown): FlagRow[] {
  if (typeof flags !== 'object' || flags === null) return [];
  return Object.entries(flags).map(([name, value], id) => ({ id, name, value: String(value) }));
}

/** What has to be said to turn one set of flags into another: `null` removes. */
export function flagOverrides(
  before: unknown,
  rows: readonly FlagRow[],
): Record<string, string | number | boolean | null> {
  const old = flagRows(before);
  const named = rows.filter(({ name }) => name.trim() !== '');
  const names = new Set(named.map(({ name }) => name.trim()));
  const changed = named.filter(
    ({ name, value }) =>
      !old.some((one) => one.name === name.trim() && same(typed(one.value), typed(value))),
  );
  return {
    ...Object.fromEntries(
      old.filter(({ name }) => !names.has(name)).map(({ name }) => [name, null]),
    ),
    ...Object.fromEntries(changed.map(({ name, value }) => [name.trim(), typed(value)])),
  };
}

/** `true`, `12`, `0.5` and text, as the flag would be written in YAML. An empty value is the flag alone. */
function typed(value: string): string | number | boolean {
  const text = value.trim();
  if (text === 'true' || text === '') return true;
  if (text === 'false') return false;
  return String(Number(text)) === text ? Number(text) : text;
}

export interface YamlFault {
  /** `null` where the fault names none. */
  line: number | null;
  text: string;
}

/**
 * Faults of a profile one by one, from the core's sentence: `… can't be used: A (line 3): found 1,
 * expected 2; B …` and `… is not YAML: line 4: …`.
 */
export function yamlFaults(message: string): YamlFault[] {
  const notYaml = /^.*? is not YAML: (?:line (\d+): )?(.*)$/s.exec(message);
  if (notYaml !== null) {
    return [{ line: lineOf(notYaml[1]), text: notYaml[2] ?? message }];
  }
  const faults = /^.*? can't be used: (.*)$/s.exec(message)?.[1];
  if (faults === undefined) return [{ line: null, text: message }];
  return faults.split(/; (?=[\w.-]+(?: \(line \d+\))?: |and \d+ more)/).map((text) => ({
    line: lineOf(/\(line (\d+)\)/.exec(text)?.[1]),
    text: text.replace(/ \(line \d+\)/, ''),
  }));
}

function lineOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
