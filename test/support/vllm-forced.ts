/** Starts of the real vLLM with what our own checks would refuse: only so does it fail by itself. */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { prepare } from '../../src-main/models/service/prepare.ts';
import type {
  LaunchInput,
  LibraryModel,
  ProfileOverrides,
  ServerStatus,
  StartServer,
} from '../../src-main/models/index.ts';
import { createModelLibrary } from '../../src-main/models/library/index.ts';
import { recognise } from '../../src-main/models/profiles/index.ts';
import { testVllm } from './vllm.ts';
import type { VllmHome } from './vllm-home.ts';

export interface Forced extends StartServer {
  /** Each launch, in order. */
  launches: LaunchInput[];
  /** Each state that was shown. */
  shown: ServerStatus[];
}

/** What the service would hand to the supervisor, with nothing looked at beforehand. */
export async function forcedStart(
  { config, home }: VllmHome,
  name: string,
  overrides: ProfileOverrides = {},
  onLaunch: (input: LaunchInput, launch: number) => void = () => undefined,
): Promise<Forced> {
  const library = createModelLibrary({ home, recognise, inUse: () => Promise.resolve(false) });
  const { profile, model, plan, machine, engine } = await prepare(config, library, name, {
    overrides,
  });
  const launches: LaunchInput[] = [];
  const shown: ServerStatus[] = [];
  return {
    ...{ profile, model, machine, launches, shown, ownerKind: 'app' },
    // A plan would not take more than the model was made for.
    plan: { ...plan, contextTokens: profile.contextTokens },
    onStatus: (status) => shown.push(status),
    engine: {
      ...engine,
      check: () => [],
      command: (input) => {
        launches.push(input);
        onLaunch(input, launches.length);
        return engine.command(input);
      },
    },
  };
}

/** Another copy of the tiny model in the library, damaged after it was looked at. */
export async function addDamaged(
  { service, home }: VllmHome,
  name: string,
  damage: (folder: string) => void,
): Promise<LibraryModel> {
  const { venv, qwen3 } = testVllm();
  const folder = path.join(home, 'damaged', name);
  cpSync(qwen3, folder, { recursive: true });
  const model = await service.add(folder, { name });
  await service.profiles.set(name, {
    source: { venv },
    'flags.--enforce-eager': true,
    // What it learns of the architecture, 10 s each time, is the same for all copies.
    'environment.VLLM_CACHE_ROOT': path.join(home, 'cache-of-all'),
  });
  damage(folder);
  return model;
}
