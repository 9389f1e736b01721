import { join } from 'node:path';
import type { LaunchInput } from '../../servers/types.ts';
import { commandFlags, type OwnFlag, overridesJson, parserName } from '../shared/arguments.ts';
import {
  allowedEnvironment,
  cacheEnvironment,
  deviceEnvironment,
  LOOPBACK_ONLY,
  OFFLINE,
  PYTHON,
} from '../shared/environment.ts';
import { KEY_VARIABLE } from './launcher.ts';

/** Parsers that read the same format under several names. */
export const SAME_PARSERS: readonly (readonly string[])[] = [
  ['qwen3_coder', 'qwen3_xml'],
  ['hermes', 'qwen25', 'qwen'],
];

/** SGLang's own arguments, in the names of this version. */
export function sglangArguments(input: LaunchInput, model: string): string[] {
  const { installation, plan, profile } = input;
  const own: OwnFlag[] = [
    { flag: '--model-path', value: model },
    { flag: '--host', value: '127.0.0.1' },
    { flag: '--port', value: input.port },
    { flag: '--served-model-name', value: input.servedName },
    { flag: '--context-length', value: plan.contextTokens },
    { flag: '--max-running-requests', value: plan.sequences },
    { flag: '--mem-fraction-static', value: plan.device === 'cpu' ? null : profile.memoryShare },
    {
      flag: ['--tensor-parallel-size', '--tp-size'],
      value: plan.tensorParallel > 1 ? plan.tensorParallel : null,
    },
    { flag: '--device', value: plan.device === 'cpu' ? 'cpu' : null },
    { flag: '--disable-radix-cache', value: !profile.prefixCaching },
    ...formatFlags(input),
    { flag: '--enable-metrics', value: true },
    { flag: '--enable-cache-report', value: true, optional: true },
    // Without it a server that has nothing to do keeps a core busy.
    { flag: '--sleep-on-idle', value: true, optional: true },
    // Telemetry asks each second; its lines would drown the others.
    { flag: '--log-level-http', value: 'warning', optional: true },
  ];
  return commandFlags(own, profile, installation);
}

function formatFlags({ profile, installation }: LaunchInput): OwnFlag[] {
  const call = parserName(profile.callParser, '--tool-call-parser', SAME_PARSERS, installation);
  return [
    { flag: '--tool-call-parser', value: call },
    { flag: '--reasoning-parser', value: profile.reasoningParser },
    { flag: '--chat-template', value: profile.chatTemplate },
    { flag: '--json-model-override-args', value: overridesJson(profile) },
  ];
}

/** What SGLang needs besides what the system gives; `cacheFolder` as the engine sees it. */
export function sglangEnvironment(input: LaunchInput, cacheFolder: string): Record<string, string> {
  return {
    ...OFFLINE,
    ...PYTHON,
    ...LOOPBACK_ONLY,
    ...cacheEnvironment(cacheFolder),
    SGLANG_CACHE_DIR: join(cacheFolder, 'sglang'),
    [KEY_VARIABLE]: input.key,
    // It would wait for running requests without a limit.
    SGL_FORCE_SHUTDOWN: '1',
    // Its health page would run a token each time, and call a long prefill a fault.
    SGLANG_ENABLE_HEALTH_ENDPOINT_GENERATION: 'false',
    SGLANG_HOST_IP: '127.0.0.1',
  };
}

/** The whole environment of a server that runs on the machine itself. */
export function sglangProgramEnvironment(input: LaunchInput): Record<string, string> {
  return {
    ...allowedEnvironment(input.env),
    ...deviceEnvironment(input.plan.gpus),
    ...sglangEnvironment(input, input.cacheFolder),
    ...input.profile.environment,
  };
}
