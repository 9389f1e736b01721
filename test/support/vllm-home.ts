/** A data folder with a tiny model that the real vLLM serves, for tests of everything above it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {
  createModelService,
  type ModelService,
  type ModelServiceConfig,
  type ProfileOverrides,
  type ServerSample,
} from '../../src-main/models/index.ts';
import { findCarriers } from '../../src-main/models/supervisor/process-finder.ts';
import { openStore } from '../../src-main/store/index.ts';
import { testVllm } from './vllm.ts';

const MAIN = path.resolve(import.meta.dirname, '../../src-main/doors/cli/main.ts');
/** Words that start a process which owns a server. */
export const KEEPER = [process.execPath, MAIN, 'models', 'keep'];

/** Set by the user for programs of their own; each would break vLLM if it got there (S08). */
export const USERS_OWN = {
  HTTP_PROXY: 'http://192.0.2.1:3128',
  https_proxy: 'http://192.0.2.1:3128',
  VLLM_PORT: '1',
  LD_LIBRARY_PATH: '/nowhere/lib',
  PYTHONPATH: '/nowhere/python',
  PYTHONHOME: '/nowhere/home',
};

/** No compiling: it takes longer than all that these tests do. */
const PROFILE: ProfileOverrides = {
  contextTokens: 4_096,
  sequences: 2,
  'flags.--enforce-eager': true,
};

export interface VllmHome {
  home: string;
  config: ModelServiceConfig;
  service: ModelService;
  /** Newest sample that the owner of a server kept. */
  latest(server: string): ServerSample | null;
  /** Ends what this process started, and keepers of this home. */
  close(): Promise<void>;
}

/** Adds tiny-qwen3 or tiny-qwen35 to a new folder, with a profile that names the tests' vLLM. */
export async function openVllmHome(
  model: 'tiny-qwen3' | 'tiny-qwen35' = 'tiny-qwen3',
  overrides: ProfileOverrides = {},
): Promise<VllmHome> {
  const { venv, qwen3, qwen35 } = testVllm();
  const home = mkdtempSync(path.join(tmpdir(), 'vivarium-vllm-home-'));
  const store = openStore(path.join(home, 'vivarium.db'));
  const config: ModelServiceConfig = {
    home,
    env: { ...process.env, ...USERS_OWN, VIVARIUM_HOME: home },
    samples: {
      add: (server, sample) => store.addServerSample(server, sample),
      latest: (server) => store.latestServerSample(server),
    },
    keeperCommand: KEEPER,
  };
  const service = createModelService(config);
  await service.add(model === 'tiny-qwen3' ? qwen3 : qwen35);
  await service.profiles.set(model, { source: { venv }, ...PROFILE, ...overrides });
  return {
    ...{ home, config, service },
    latest: (server) => store.latestServerSample(server),
    close: async () => {
      await service.stop(model, { force: true }).catch(() => undefined);
      await service.close();
      store.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Pids of all processes that carry the nonce, by the title each gave itself. */
export function processesOf(nonce: string): Map<number, string> {
  return new Map(findCarriers(nonce).map(({ pid }) => [pid, commandOf(pid)]));
}

/** The one process of the server with that title, e.g. `VLLM::EngineCore`. */
export function titled(nonce: string, title: string): number {
  const found = [...processesOf(nonce)].filter(([, command]) => command.startsWith(title));
  const [first] = found;
  if (first === undefined || found.length > 1) {
    throw new Error(`${String(found.length)} processes are called ${title}`);
  }
  return first[0];
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'latin1')
      .replaceAll('\0', ' ')
      .trim();
  } catch {
    return '';
  }
}

/** Sum of the shares of main memory, as the kernel tells them. */
export function shareBytes(pids: Iterable<number>): number {
  let total = 0;
  for (const pid of pids) {
    const rollup = readFileSync(`/proc/${String(pid)}/smaps_rollup`, 'latin1');
    total += 1024 * Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]);
  }
  return total;
}

/** Variables of a running process. */
export function environmentOf(pid: number): Map<string, string> {
  const pairs = readFileSync(`/proc/${String(pid)}/environ`, 'utf8').split('\0');
  return new Map(
    pairs.filter(Boolean).map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** Whether anything listens on the port of loopback. */
export function isListening(port: number): boolean {
  const wanted = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  return readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .some((line) => line.includes(wanted) && line.includes(' 0A '));
}
