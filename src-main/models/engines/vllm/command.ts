import type { LaunchInput } from '../../servers/types.ts';
import {
  commandFlags,
  hasFlag,
  type OwnFlag,
  overridesJson,
  parserName,
} from '../shared/arguments.ts';
import {
  allowedEnvironment,
  cacheEnvironment,
  deviceEnvironment,
  LOOPBACK_ONLY,
  OFFLINE,
  PYTHON,
} from '../shared/environment.ts';
import { join } from 'node:path';

/** Parsers that are the same under several names (`tool_parsers/__init__.py` of vLLM). */
export const SAME_PARSERS: readonly (readonly string[])[] = [
  ['qwen3_coder', 'qwen3_xml'],
  ['hermes', 'qwen3_json'],
];

/** Where the server listens: a port of loopback, or a socket file (in a container). */
export type Listen = { port: number } | { socket: string };

/** Whether this is the build for processors, whose version ends so. */
export function isCpuBuild(version: string): boolean {
  return version.includes('+cpu');
}

/** Words after `vllm serve`: the model, then flags of this version. */
export function vllmArguments(input: LaunchInput, model: string, listen: Listen): string[] {
  const { installation, profile } = input;
  const own: OwnFlag[] = [
    ...listenFlags(listen),
    { flag: '--served-model-name', value: input.servedName },
    // No page of a browser has business here; the default lets every page in.
    { flag: '--allowed-origins', value: '[]' },
    { flag: '--disable-fastapi-docs', value: true, optional: true },
    ...sizeFlags(input),
    ...cacheFlags(input),
    ...formatFlags(input),
    { flag: '--enable-prompt-tokens-details', value: true, optional: true },
    ...quietFlags(input),
  ];
  return [model, ...commandFlags(own, profile, installation)];
}

function listenFlags(listen: Listen): OwnFlag[] {
  if ('socket' in listen) return [{ flag: '--uds', value: listen.socket }];
  return [
    { flag: '--host', value: '127.0.0.1' },
    { flag: '--port', value: listen.port },
  ];
}

function sizeFlags({ plan, profile, installation }: LaunchInput): OwnFlag[] {
  const gpu = !isCpuBuild(installation.version);
  return [
    { flag: '--max-model-len', value: plan.contextTokens },
    { flag: '--max-num-seqs', value: plan.sequences },
    // The build for processors takes its space from the environment.
    { flag: '--gpu-memory-utilization', value: gpu ? profile.memoryShare : null },
    { flag: '--tensor-parallel-size', value: plan.tensorParallel > 1 ? plan.tensorParallel : null },
  ];
}

function cacheFlags({ profile, model }: LaunchInput): OwnFlag[] {
  const hybrid = model.facts.layers.recurrent !== null;
  return [
    profile.prefixCaching
      ? { flag: '--enable-prefix-caching', value: true }
      : { flag: '--no-enable-prefix-caching', value: true, optional: true },
    // Models with a fixed state are cached at block boundaries only, and only if asked for.
    {
      flag: '--mamba-cache-mode',
      value: hybrid && profile.prefixCaching ? 'align' : null,
      optional: true,
    },
  ];
}

function formatFlags({ profile, installation, model }: LaunchInput): OwnFlag[] {
  const call = parserName(profile.callParser, '--tool-call-parser', SAME_PARSERS, installation);
  return [
    { flag: '--enable-auto-tool-choice', value: call !== null },
    { flag: '--tool-call-parser', value: call },
    { flag: '--reasoning-parser', value: profile.reasoningParser },
    { flag: '--chat-template', value: profile.chatTemplate },
    { flag: '--hf-overrides', value: overridesJson(profile) },
    // A model that could see pictures is used for text: its other half takes no memory then.
    {
      flag: '--language-model-only',
      value: model.facts.architecture.endsWith('ForConditionalGeneration'),
      optional: true,
    },
  ];
}

/** Telemetry asks each second; its lines would drown the others. */
function quietFlags({ installation }: LaunchInput): OwnFlag[] {
  if (hasFlag(installation, '--disable-access-log-for-endpoints')) {
    const value = '/health,/metrics,/v1/models';
    return [{ flag: '--disable-access-log-for-endpoints', value }];
  }
  return [{ flag: '--disable-uvicorn-access-log', value: true, optional: true }];
}

/** What vLLM needs besides what the system gives; `cacheFolder` as the engine sees it. */
export function vllmEnvironment(input: LaunchInput, cacheFolder: string): Record<string, string> {
  return {
    ...OFFLINE,
    ...PYTHON,
    ...LOOPBACK_ONLY,
    ...cacheEnvironment(cacheFolder),
    VLLM_CACHE_ROOT: join(cacheFolder, 'vllm'),
    VLLM_CONFIG_ROOT: join(cacheFolder, 'vllm-config'),
    // By environment: everybody on the machine can read the words of a command line.
    VLLM_API_KEY: input.key,
    VLLM_HOST_IP: '127.0.0.1',
    VLLM_LOOPBACK_IP: '127.0.0.1',
    ...(isCpuBuild(input.installation.version) ? cpuEnvironment(input) : {}),
  };
}

const GIB = 1024 ** 3;

function cpuEnvironment({ plan, profile, machine }: LaunchInput): Record<string, string> {
  const space = Math.ceil((plan.estimate.kvBytes + plan.estimate.stateBytes) / GIB);
  // The variable wins over the flag, so a profile that has the flag goes without it.
  const sized = profile.flags['--kv-cache-memory-bytes'] !== undefined;
  return {
    ...(sized ? {} : { VLLM_CPU_KVCACHE_SPACE: String(Math.max(1, space)) }),
    // Threads bound to cores suffer most from whatever else runs there; and one core stays free.
    VLLM_CPU_OMP_THREADS_BIND: 'nobind',
    OMP_NUM_THREADS: String(profile.threads ?? Math.max(1, machine.cores - 1)),
  };
}

/** The whole environment of a server that runs on the machine itself. */
export function vllmProgramEnvironment(input: LaunchInput): Record<string, string> {
  return {
    ...allowedEnvironment(input.env),
    ...(isCpuBuild(input.installation.version) ? {} : deviceEnvironment(input.plan.gpus)),
    ...vllmEnvironment(input, input.cacheFolder),
    ...input.profile.environment,
  };
}
