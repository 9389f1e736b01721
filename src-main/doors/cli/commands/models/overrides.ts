import type { ProfileOverrides } from '../../../../core/index.ts';
import { parseOverrides } from '../../../../models/index.ts';

/** Options of every command that starts a server or changes a profile. */
export interface OverrideOptions {
  /** `NAME=VALUE`, by the names of the profile's YAML. */
  set?: string[];
  /** `--NAME`, `--NAME=VALUE`: flags of the engine itself. */
  engineFlag?: string[];
}

/**
 * The members to replace; `undefined` when none is named.
 * @throws VivariumError `usage`
 */
export function readOverrides({ set, engineFlag }: OverrideOptions): ProfileOverrides | undefined {
  if (set === undefined && engineFlag === undefined) return undefined;
  return parseOverrides(set, engineFlag);
}
