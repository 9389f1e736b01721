import { fileURLToPath } from 'node:url';
import type {
  Failure,
  Readiness,
  ReachInput,
  ServerEngine,
  ServerFigures,
  ServerPlan,
} from '../../servers/types.ts';
import type { StandInBehaviour } from './stand-in.ts';

const ENTRY = fileURLToPath(new URL('./stand-in.ts', import.meta.url));

export interface StandInOptions extends Partial<StandInBehaviour> {
  /** Called for each launch; may change what the next one does. */
  onLaunch?: (launch: number) => Partial<StandInBehaviour>;
  /** Port for the given launch instead of the supervisor's. */
  portOf?: (launch: number, port: number) => number;
  choosesPort?: boolean;
  /** Failure for a log that holds `fragment`. */
  failures?: { fragment: string; failure: Partial<Failure> }[];
  plans?: ServerPlan[];
}

/** What is told of a taken port whose log says nothing. */
const LOST = { fragment: '', failure: { retryWith: { newPort: true } } };

/** An engine around the stand-in server. */
export function standInEngine(options: StandInOptions = {}): ServerEngine {
  const { onLaunch, portOf, choosesPort = false, failures = [], plans, ...behaviour } = options;
  let launches = 0;
  return {
    id: 'llama-server',
    choosesPort,
    probe: () =>
      Promise.resolve({
        engine: 'llama-server',
        command: [process.execPath],
        version: '1.0',
        flags: null,
        choices: new Map(),
        shown: 'stand-in 1.0',
      }),
    check: () => [],
    command: (input) => {
      launches += 1;
      plans?.push(input.plan);
      const port = portOf?.(launches, input.port) ?? input.port;
      const wanted: StandInBehaviour = { ...behaviour, ...onLaunch?.(launches), port };
      return {
        kind: 'program',
        argv: [process.execPath, ENTRY, JSON.stringify(wanted)],
        env: {
          PATH: input.env['PATH'] ?? '',
          STAND_IN_KEY: input.key,
          STAND_IN_NAME: input.servedName,
          ...input.profile.environment,
        },
        cwd: '/',
        secrets: [input.key],
      };
    },
    readLine: (line) => {
      const port = /^listening on (\d+)/.exec(line)?.[1];
      if (port !== undefined) return { port: Number(port) };
      if (line.startsWith('broken')) return { broken: true };
      return line.startsWith('loading') ? { progress: line } : {};
    },
    reach: reachStandIn,
    classify: ({ lines, portTaken = false }) => {
      const text = lines.join('\n');
      const found =
        failures.find(({ fragment }) => text.includes(fragment)) ?? (portTaken ? LOST : undefined);
      if (found === undefined) return null;
      const line = lines.find((each) => each.includes(found.fragment)) ?? '';
      return {
        kind: 'known',
        line,
        cause: 'A known cause.',
        remedy: 'A known remedy.',
        deterministic: true,
        retryWith: null,
        ...found.failure,
      };
    },
    figures: figuresOfStandIn,
  };
}

async function reachStandIn({ root, key, servedName, signal }: ReachInput): Promise<Readiness> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${root}/v1/models`, { headers, signal });
  if (!response.ok) return { state: 'foreign', detail: `HTTP ${response.status}` };
  const { data } = (await response.json()) as { data?: { id: string; max_model_len: number }[] };
  const found = data?.find(({ id }) => id === servedName);
  return found === undefined
    ? { state: 'foreign', detail: 'another model' }
    : { state: 'ready', contextTokens: found.max_model_len, details: {} };
}

async function figuresOfStandIn({ root, signal }: ReachInput): Promise<ServerFigures> {
  const response = await fetch(`${root}/metrics`, { signal });
  const { running, generated } = (await response.json()) as Record<string, number>;
  return {
    running: running ?? null,
    waiting: null,
    kvUsed: null,
    promptTokens: null,
    generatedTokens: generated ?? null,
    cacheQueriedTokens: null,
    cacheHitTokens: null,
    firstTokenSecondsSum: null,
    firstTokenCount: null,
  };
}
