import type { LibraryModel, ModelFacts, ModelProfile, ServerEngineId } from '../servers/types.ts';
import { PRESET_NAMES, type Preset, presetNamed } from './presets.ts';

/** Where the files do not say what window a model was trained with. */
const UNKNOWN_WINDOW_TOKENS = 32_768;

/**
 * The profile a model starts with: its preset's values, fitted to its files. It holds no path of this
 * machine.
 */
export function createProfile(model: LibraryModel): ModelProfile {
  const { facts, name } = model;
  const known = PRESET_NAMES.find((preset) => preset === model.preset) ?? 'plain';
  const preset = presetNamed(known);
  const { members } = preset;
  const gguf = facts.format === 'gguf';
  const contextTokens = windowOf(preset, facts);
  return {
    ...structuredClone(members),
    name,
    preset: preset.name,
    engine: engineFor(members.engine, gguf),
    contextTokens,
    tokensPerTurn: Math.min(members.tokensPerTurn, Math.max(1, Math.floor(contextTokens / 4))),
    callParser: callParser(members.callParser, facts),
    reasoningParser: reasoningParser(members.reasoningParser, facts),
    // llama.cpp takes the memory of every conversation at the start; vLLM shares what there is.
    sequences: gguf ? 1 : members.sequences,
    // There is no config.json beside a GGUF.
    configOverrides: gguf ? {} : structuredClone(members.configOverrides),
  };
}

function engineFor(engine: ServerEngineId, gguf: boolean): ServerEngineId {
  const takesGguf = engine === 'llamacpp' || engine === 'llama-server';
  if (gguf === takesGguf) return engine;
  return gguf ? 'llamacpp' : 'vllm';
}

/** A preset that overrides the positions knows better than the files what the training was. */
function windowOf({ members }: Preset, facts: ModelFacts): number {
  if ('max_position_embeddings' in members.configOverrides) return members.contextTokens;
  return Math.min(members.contextTokens, facts.trainedContextTokens ?? UNKNOWN_WINDOW_TOKENS);
}

/** The shipped template is what the model was trained to write; a preset only fills in for it. */
function callParser(preset: string | null, { chatTemplate }: ModelFacts): string | null {
  if (preset === null) return null;
  return chatTemplate.callFormat ?? (preset === 'auto' ? null : preset);
}

function reasoningParser(preset: string | null, facts: ModelFacts): string | null {
  if (preset !== 'auto') return preset;
  if (!facts.chatTemplate.thinking) return null;
  // Distillates of DeepSeek-R1 into older models open the thought in the prompt.
  return /^(deepseek|qwen2|llama)/i.test(facts.architecture) ? 'deepseek_r1' : 'qwen3';
}
