import { flagArguments } from '../../profiles/index.ts';
import type { Installation, ModelProfile } from '../../servers/types.ts';

/** A flag of ours: its names through the versions, newest first, and its value. */
export interface OwnFlag {
  /** Of several the newest that the installed version lists is used. */
  flag: string | readonly string[];
  /** `null` or `false` leaves it out; `true` is a flag without a value. */
  value: string | number | boolean | null;
  /** A version without the flag is started without it; otherwise the engine itself refuses. */
  optional?: boolean;
}

/** Whether the installed version has a flag; one whose help could not be read is taken to have all. */
export function hasFlag(installation: Installation, flag: string): boolean {
  return installation.flags === null || installation.flags.has(flag);
}

/**
 * Words of a command line: our flags as the installed version names them, then those of the profile,
 * which win where both set one (which flags a profile may set is for `../../profiles` to say).
 */
export function commandFlags(
  ours: readonly OwnFlag[],
  profile: Pick<ModelProfile, 'flags'>,
  installation: Installation,
): string[] {
  const style = installation.engine === 'llama-server' ? 'separate' : 'joined';
  return [
    ...ours.flatMap((each) => ownWords(each, installation)),
    ...flagArguments(profile.flags, style),
  ];
}

function ownWords({ flag, value, optional }: OwnFlag, installation: Installation): string[] {
  if (value === null || value === false) return [];
  const names = typeof flag === 'string' ? [flag] : flag;
  const known = names.find((name) => hasFlag(installation, name));
  const name = known ?? (optional === true ? undefined : names[0]);
  if (name === undefined) return [];
  return value === true ? [name] : [name, String(value)];
}

/** JSON with sorted members, so that the same profile gives the same command line. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Overrides as JSON; `null` when there are none. */
export function overridesJson(profile: Pick<ModelProfile, 'configOverrides'>): string | null {
  return Object.keys(profile.configOverrides).length === 0
    ? null
    : stableJson(profile.configOverrides);
}

/**
 * The name by which this version knows a parser: the one of the profile, or one that is the same
 * under another name. The profile's own where the version does not list its names.
 */
export function parserName(
  wanted: string | null,
  flag: string,
  same: readonly (readonly string[])[],
  installation: Installation,
): string | null {
  const offered = installation.choices.get(flag);
  if (wanted === null || offered === undefined || offered.includes(wanted)) return wanted;
  const others = same.find((names) => names.includes(wanted)) ?? [];
  return others.find((name) => offered.includes(name)) ?? wanted;
}
