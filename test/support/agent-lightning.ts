import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { appFolder } from '../../src-main/lib/index.ts';
import { pickPort } from '../../src-main/models/supervisor/ports.ts';

/** Made by scripts/agentlightning.sh. */
export const PYTHON = path.join(appFolder(), '.cache/agentlightning/bin/python');
const AGENTS = path.join(appFolder(), 'resources/rollout');
const COMMAND = [process.execPath, path.join(appFolder(), 'scripts/vivarium.mjs')];
const KEY = 'agl-s3cret-key';
const START_MS = 120_000;

/** Agent Lightning's own gateway and controller, without its trainer, which needs a GPU. */
export interface AgentLightning {
  url: string;
  key: string;
  /** What all its processes printed. */
  said(): string;
  call<T>(method: string, path: string, body?: object): Promise<T>;
  close(): Promise<void>;
}

export interface Begin {
  /** Logs of Hydra and temporary files go there. */
  folder: string;
  /** Base of an OpenAI-compatible server without a key. */
  model: string;
  temperature: number;
}

/** Starts both, with one model registered; the controller runs agents as its own children. */
export async function startAgentLightning(begin: Begin): Promise<AgentLightning> {
  const { folder, model, temperature } = begin;
  const port = await pickPort();
  const url = `http://127.0.0.1:${port}`;
  let said = '';
  const children: ChildProcess[] = [];
  const start = (part: string, ...settings: string[]) => {
    const child = spawn(PYTHON, ['-m', `agentlightning.${part}`, 'hydra.run.dir=.', ...settings], {
      ...{ cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
      env: {
        ...process.env,
        ...{ PYTHONPATH: AGENTS, VIVARIUM_COMMAND: COMMAND.join(' ') },
        ...{ VIVARIUM_HOME: '', TMPDIR: folder },
      },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (piece: Buffer) => (said += piece.toString()));
    }
    children.push(child);
  };
  const call = async <T>(method: string, place: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}${place}`, {
      ...{
        method,
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${place}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const sampling = `default_proxy.train.temperature=${temperature}`;
  start('server', 'host=127.0.0.1', `port=${port}`, `key=${KEY}`, NAMED, sampling);
  await untilAnswers(`${url}/healthz`, () => said);
  await call('POST', '/api/models', [{ model: 'policy', endpoint: model, version: 1 }]);
  const server = [`agl_server.url=${url}`, `agl_server.key=${KEY}`];
  start('controller', 'runner_type=local', 'local_runner.poll_interval=0.5', ...server);
  return {
    ...{ url, key: KEY, said: () => said, call },
    async close() {
      for (const child of children.toReversed()) {
        if (child.exitCode !== null) continue;
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    },
  };
}

const NAMED = 'default_proxy.model_name=policy';

async function untilAnswers(url: string, said: () => string): Promise<void> {
  const end = performance.now() + START_MS;
  while (performance.now() < end) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await sleep(200);
  }
  throw new Error(`nothing answers at ${url}:\n${said()}`);
}

/** Passes requests on to a server that wants a key: Agent Lightning's proxy sends its models none. */
export async function relayWithKey(
  root: string,
  key: string,
): Promise<{ base: string; asked: Record<string, unknown>[]; close(): Promise<void> }> {
  const asked: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const piece of request) body += String(piece);
      asked.push(JSON.parse(body) as Record<string, unknown>);
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(`${root}${request.url}`, { method: 'POST', headers, body });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ base: `http://127.0.0.1:${port}/v1`, asked },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
