import { posix, relative } from 'node:path';
import type { LaunchInput } from '../../servers/types.ts';
import { commandFlags, type OwnFlag } from '../shared/arguments.ts';
import { CONTAINER_MODEL } from '../shared/container/places.ts';
import { allowedEnvironment, cacheEnvironment, deviceEnvironment } from '../shared/environment.ts';
import { MOST_CACHE_MIB, MOST_CHECKPOINTS } from './limits.ts';

const MIB = 1024 ** 2;

/** llama-server's arguments, in the names of this version. `host` may be a socket file. */
export function llamaServerArguments(input: LaunchInput, model: string, host: string): string[] {
  const { plan, profile, installation } = input;
  const own: OwnFlag[] = [
    { flag: '--model', value: model },
    { flag: '--alias', value: input.servedName },
    { flag: '--host', value: host },
    { flag: '--port', value: host.endsWith('.sock') ? null : input.port },
    // Its window is shared among the slots.
    { flag: '--ctx-size', value: plan.contextTokens * plan.sequences },
    { flag: '--parallel', value: plan.sequences },
    // It would shrink what does not fit without a word; the plan has decided that already.
    { flag: '--fit', value: 'off', optional: true },
    ...deviceFlags(input),
    { flag: '--threads', value: profile.threads },
    { flag: '--jinja', value: true, optional: true },
    { flag: '--chat-template-file', value: profile.chatTemplate },
    // As with the other engines: thoughts are taken out of the reply only if a parser is named.
    { flag: '--reasoning-format', value: profile.reasoningParser === null ? 'none' : null },
    ...cacheFlags(input),
    { flag: '--metrics', value: true },
    { flag: '--offline', value: true, optional: true },
    { flag: ['--no-ui', '--no-webui'], value: true, optional: true },
    // No page of a browser has business here; the default lets every page in, with credentials.
    { flag: '--cors-origins', value: 'http://127.0.0.1:1', optional: true },
    { flag: '--no-cors-credentials', value: true, optional: true },
  ];
  return commandFlags(own, profile, installation);
}

function deviceFlags({ plan }: LaunchInput): OwnFlag[] {
  if (plan.device === 'cpu') {
    return [
      { flag: '--n-gpu-layers', value: 0 },
      { flag: '--device', value: 'none', optional: true },
    ];
  }
  // More than any model has; `all` is not known to older versions.
  return [{ flag: '--n-gpu-layers', value: plan.gpuLayers ?? 999 }];
}

/** What is kept takes at most an eighth of what is free: a small machine needs room for the rest. */
function cacheFlags({ profile, machine, model, plan }: LaunchInput): OwnFlag[] {
  if (!profile.prefixCaching) return [{ flag: '--no-cache-prompt', value: true, optional: true }];
  const budget = machine.memory.availableBytes / 8;
  const { recurrent } = model.facts.layers;
  // A fixed state can only be gone back to where a copy was kept.
  const copyBytes = (recurrent?.bytesPerSequence ?? 0) * plan.sequences;
  const copies = copyBytes === 0 ? MOST_CHECKPOINTS : Math.floor(budget / copyBytes);
  return [
    {
      flag: '--cache-ram',
      value: Math.min(MOST_CACHE_MIB, Math.floor(budget / MIB)),
      optional: true,
    },
    {
      flag: ['--ctx-checkpoints', '--swa-checkpoints'],
      value: copies < MOST_CHECKPOINTS ? Math.max(1, copies) : null,
      optional: true,
    },
  ];
}

/** What llama-server needs besides what the system gives. */
export function llamaServerEnvironment(
  input: LaunchInput,
  cacheFolder: string,
): Record<string, string> {
  const { XDG_CACHE_HOME = cacheFolder } = cacheEnvironment(cacheFolder);
  return {
    // By environment: everybody on the machine can read the words of a command line.
    LLAMA_API_KEY: input.key,
    LLAMA_CACHE: XDG_CACHE_HOME,
    XDG_CACHE_HOME,
    HF_HUB_OFFLINE: '1',
  };
}

/** The whole environment of a server that runs on the machine itself. */
export function llamaServerProgramEnvironment(input: LaunchInput): Record<string, string> {
  return {
    ...allowedEnvironment(input.env),
    ...deviceEnvironment(input.plan.device === 'cpu' ? [] : input.plan.gpus),
    ...llamaServerEnvironment(input, input.cacheFolder),
    ...input.profile.environment,
  };
}

/** The first part of the weights as the container sees it. */
export function modelInContainer({ model }: LaunchInput): string {
  const inside = relative(model.folder, model.entry).replaceAll('\\', '/');
  return posix.join(CONTAINER_MODEL, inside);
}
