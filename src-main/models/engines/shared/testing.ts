import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createProfile } from '../../profiles/create.ts';
import type {
  Installation,
  LaunchInput,
  LibraryModel,
  ModelProfile,
  ServerEngineId,
} from '../../servers/types.ts';
import { launchInput } from '../../testing/launch.ts';

/** A folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vivarium-engines-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a program that stands in for an engine's. */
export function writeProgram(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

const BASE = launchInput();

/** FrogNano and FrogMini as the library would describe them. */
export const MODELS = {
  'frognano-4b': model('frognano-4b', 'Qwen3_5ForCausalLM', 'qwen3_coder', 262_144, {
    layers: 24,
    bytesPerSequence: 50 * 1024 * 1024,
  }),
  'frogmini-14b': model('frogmini-14b', 'Qwen3ForCausalLM', 'hermes', 40_960, null),
};

function model(
  name: string,
  architecture: string,
  callFormat: 'hermes' | 'qwen3_coder',
  trainedContextTokens: number,
  recurrent: { layers: number; bytesPerSequence: number } | null,
): LibraryModel {
  const { facts } = BASE.model;
  return {
    ...BASE.model,
    name,
    folder: `/models/${name}`,
    entry: `/models/${name}`,
    preset: name,
    facts: {
      ...facts,
      format: 'safetensors',
      architecture,
      trainedContextTokens,
      layers: { ...facts.layers, recurrent },
      chatTemplate: { ...facts.chatTemplate, callFormat, thinking: true },
    },
  };
}

/** An installation as a probe would return it; `flags` is a list of those it has. */
export function installation(
  engine: ServerEngineId,
  version: string,
  flags: readonly string[] | null,
  more: Partial<Installation> = {},
): Installation {
  return {
    engine,
    command: [`/opt/${engine}/bin/${engine}`],
    version,
    flags: flags === null ? null : new Set(flags),
    choices: new Map(),
    shown: `${engine} ${version} in /opt/${engine}`,
    ...more,
  };
}

/** What the supervisor hands over for one of the two models on GPUs. */
export function presetInput(
  name: keyof typeof MODELS,
  given: Installation,
  gpus: number[],
  profile: Partial<ModelProfile> = {},
): LaunchInput {
  const entry = MODELS[name];
  const made = { ...createProfile(entry), engine: given.engine, ...profile };
  return launchInput({
    installation: given,
    model: entry,
    profile: made,
    plan: {
      engine: given.engine,
      device: 'gpu',
      contextTokens: made.contextTokens,
      sequences: made.sequences,
      tensorParallel: gpus.length,
      gpus,
    },
    port: 43_210,
    key: 'the-key',
    servedName: `${name}-n0nce`,
    cacheFolder: '/home/me/.vivarium/cache',
    env: { PATH: '/usr/bin', HOME: '/home/me', LANG: 'de_DE.UTF-8' },
  });
}

/** Argv of a program as lines, one flag with its value each, to be read and compared. */
export function lines(argv: readonly string[]): string[] {
  const result: string[] = [];
  for (const word of argv) {
    const last = result.at(-1);
    if (last?.startsWith('--') === true && !last.includes(' ') && !word.startsWith('--')) {
      result[result.length - 1] = `${last} ${word}`;
    } else result.push(word);
  }
  return result;
}
