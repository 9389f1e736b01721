/** Stand-ins for what cannot be had on demand, for the tests of this folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type {
  OwnedServer,
  ServerAccess,
  ServerState,
  ServerStatus,
  Supervisor,
} from '../servers/types.ts';
import { createModelService } from './create-service.ts';
import type { ModelService, ModelServiceConfig } from './types.ts';

export function statusOf(state: ServerState, change: Partial<ServerStatus> = {}): ServerStatus {
  return {
    ...{ name: 'frog', state, since: 0, progress: null, engine: 'vllm', version: '0.33.0' },
    ...{ owner: '7.1.x', ownerKind: 'keeper', pid: 8, address: 'http://127.0.0.1:1' },
    ...{ servedName: 'frog-n', contextTokens: 4096, sequences: 1, plan: null, memory: null },
    ...{ timings: null, restarts: 0, failure: null, logFile: null, users: 0 },
    ...change,
  };
}

export const FAILED = statusOf('failed', {
  failure: {
    kind: 'out_of_memory',
    line: 'CUDA out of memory',
    cause: 'the GPU has too little memory',
    remedy: 'Use a smaller context.',
    deterministic: true,
    retryWith: null,
  },
});

export function accessOf(root: string): ServerAccess {
  return { root, key: 'key', nonce: 'n', servedName: 'frog-n' };
}

/** An owned server whose status the test sets. */
export function ownedServer(first: ServerStatus): OwnedServer & {
  become(status: ServerStatus): void;
  running(): number;
} {
  let status = first;
  let running = 0;
  const listeners = new Set<(status: ServerStatus) => void>();
  return {
    status: () => status,
    access: () => accessOf(status.address ?? ''),
    pids: () => [],
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin: () => {
      running += 1;
      return () => (running -= 1);
    },
    keep: () => undefined,
    ended: new Promise(() => undefined),
    stop: () => Promise.resolve(),
    become: (next) => {
      status = next;
      for (const listener of listeners) listener(next);
    },
    running: () => running,
  };
}

type Join = NonNullable<Awaited<ReturnType<Supervisor['join']>>>;

/** The server of another process, whose status the test sets; counts its leases. */
export function otherProcess(first: ServerStatus): Pick<Supervisor, 'status' | 'join'> & {
  become(status: ServerStatus): void;
  leases(): number;
  running(): number;
} {
  let status = first;
  let leases = 0;
  let running = 0;
  const joinNow = (): Join | null => {
    if (status.state !== 'ready' && status.state !== 'busy') return null;
    leases += 1;
    return {
      access: accessOf(status.address ?? ''),
      status,
      release: () => (leases -= 1),
      begin: () => {
        running += 1;
        return () => (running -= 1);
      },
    };
  };
  return {
    status: () => Promise.resolve(status),
    join: () => Promise.resolve(joinNow()),
    become: (next) => {
      status = next;
    },
    leases: () => leases,
    running: () => running,
  };
}

/** A service over a data folder of its own, which goes away with the test. */
export function temporaryService(change: Partial<ModelServiceConfig> = {}): {
  service: ModelService;
  config: ModelServiceConfig;
} {
  const home = mkdtempSync(join(tmpdir(), 'vivarium-service-'));
  const config = {
    home,
    env: { ...process.env, PATH: '/usr/bin:/bin' },
    samples: { add: () => undefined, latest: () => null },
    keeperCommand: [],
    ...change,
  };
  const service = createModelService(config);
  onTestFinished(async () => {
    await service.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  return { service, config };
}
