import { checkFlags } from '../../profiles/index.ts';
import type { Installation, LibraryModel, ModelProfile } from '../../servers/types.ts';
import { parserName } from './arguments.ts';
import { compareVersions } from './probe.ts';

/** From which version an engine knows an architecture, where that is known for sure. */
export interface ArchitectureSince {
  architecture: RegExp;
  version: string;
  why: string;
}

/** Faults that every engine looks for: its flags, the format and the architecture of the model. */
export function commonFaults(
  profile: ModelProfile,
  installation: Installation,
  model: LibraryModel,
  rules: { format: 'safetensors' | 'gguf'; since: readonly ArchitectureSince[] },
): string[] {
  const faults: string[] = [];
  if (model.facts.format !== rules.format) {
    const other = rules.format === 'gguf' ? 'vllm or sglang' : 'llamacpp or llama-server';
    faults.push(
      `${installation.shown} serves ${rules.format} models; ${model.name} is ${model.facts.format}: set engine to ${other}`,
    );
  }
  for (const { architecture, version, why } of rules.since) {
    if (!architecture.test(model.facts.architecture)) continue;
    if (compareVersions(installation.version, version) >= 0) continue;
    faults.push(
      `${installation.shown} is too old for ${model.facts.architecture}: ${why}; it needs ${version} or newer`,
    );
  }
  // A help that could not be read names no flags: the engine itself refuses what it does not know.
  return installation.flags === null
    ? faults
    : [...faults, ...checkFlags(profile.flags, installation)];
}

/** Parsers of the profile that this version does not offer; none where its help could not be read. */
export function parserFaults(
  profile: Pick<ModelProfile, 'callParser' | 'reasoningParser'>,
  installation: Installation,
  same: readonly (readonly string[])[],
): string[] {
  if (installation.flags === null) return [];
  const call = parserName(profile.callParser, '--tool-call-parser', same, installation);
  const { reasoningParser } = profile;
  const parsers = {
    ...(call === null ? {} : { '--tool-call-parser': call }),
    ...(reasoningParser === null ? {} : { '--reasoning-parser': reasoningParser }),
  };
  return checkFlags(parsers, installation);
}
