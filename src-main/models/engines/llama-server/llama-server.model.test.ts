import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Failure, LaunchInput, ModelProfile, ReachInput } from '../../servers/types.ts';
import { launchInput } from '../../testing/launch.ts';
import { TADPOLE } from '../llamacpp/testing.ts';
import { temporaryFolder } from '../shared/testing.ts';
import { createLlamaServerEngine } from './index.ts';

const BINARY = fileURLToPath(
  new URL('../../../../.cache/llama-server/llama-server', import.meta.url),
);
const engine = createLlamaServerEngine();

interface Changes {
  profile?: Partial<ModelProfile>;
  entry?: string;
  port?: number;
}

async function inputFor({
  profile,
  entry = TADPOLE,
  port = 0,
}: Changes = {}): Promise<LaunchInput> {
  const source = { kind: 'program' as const, file: BINARY };
  const given = launchInput({
    profile: { engine: 'llama-server', source, device: 'cpu', threads: 1, ...profile },
    model: { entry },
    plan: { engine: 'llama-server', contextTokens: 2_048, sequences: 2 },
    port,
    key: 'the-key-of-the-test',
    servedName: 'tadpole-n0nce',
    cacheFolder: temporaryFolder(),
    env: { ...process.env, LLAMA_ARG_HOST: '0.0.0.0', LLAMA_ARG_CTX_SIZE: '128' },
  });
  const installation = await engine.probe(given.profile, { env: given.env });
  return { ...given, installation };
}

interface Started {
  child: ChildProcess;
  lines: string[];
  progress: string[];
  failed: Promise<Failure | null>;
  /** Settles with where it is once it is ready. */
  ready(): Promise<ReachInput>;
}

function start(input: LaunchInput): Started {
  const command = engine.command(input);
  if (command.kind !== 'program') throw new Error('not a program');
  const [file = '', ...args] = command.argv;
  const child = spawn(file, args, { env: command.env, cwd: command.cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const progress: string[] = [];
  let port = input.port;
  const read = (line: string): void => {
    lines.push(line);
    const reading = engine.readLine(line);
    if (reading.progress !== undefined) progress.push(reading.progress);
    port = reading.port ?? port;
  };
  for (const stream of [child.stdout, child.stderr]) byLine(stream, read);
  const failed = new Promise<Failure | null>((resolve) => {
    child.once('close', (code, signal) => {
      // A port that is named is one that the test holds; the last words about it can be lost.
      const portTaken = input.port !== 0;
      const exit = { code, signal };
      resolve(engine.classify({ lines, exit, outOfMemoryKilled: false, portTaken }));
    });
  });
  return {
    child,
    lines,
    progress,
    failed,
    ready: async () => {
      for (;;) {
        if (child.exitCode !== null) throw new Error(lines.join('\n'));
        const { key, servedName } = input;
        const signal = AbortSignal.timeout(10_000);
        const reach = { root: `http://127.0.0.1:${String(port)}`, key, servedName, signal };
        if (port !== 0 && (await engine.reach(reach)).state === 'ready') return reach;
        await sleep(50);
      }
    },
  };
}

function byLine(stream: NodeJS.ReadableStream, read: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (data: string) => {
    const parts = (rest + data).split('\n');
    rest = parts.pop() ?? '';
    parts.forEach(read);
  });
}

async function freePort(): Promise<{ port: number; close(): Promise<unknown> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
}

interface Reply {
  usage: { prompt_tokens: number; prompt_tokens_details: { cached_tokens: number } };
}

async function complete({ root, key, servedName }: ReachInput, content: string): Promise<Reply> {
  const response = await fetch(`${root}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: servedName,
      messages: [{ role: 'user', content }],
      max_tokens: 4,
      temperature: 0,
    }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Reply;
}

const built = existsSync(BINARY);

describe.skipIf(!built)('a real llama-server (scripts/llama-server.sh builds it)', () => {
  test('S02 S08 starts on a port of its choice, proves itself, counts and ends', async () => {
    const input = await inputFor();
    const { child, lines, progress, ready, failed } = start(input);
    const at = await ready();
    expect(await engine.reach({ ...at, signal: AbortSignal.timeout(10_000) })).toMatchObject({
      state: 'ready',
      contextTokens: 2_048,
      details: { server: 'llamacpp', slots: 2 },
    });
    expect(progress).toEqual(expect.arrayContaining(['loading the model', 'answering']));
    // What the user's variables said has no effect: it listens on loopback alone.
    expect(listeners(child.pid ?? 0)).toEqual([`127.0.0.1:${new URL(at.root).port}`]);
    expect(readFileSync(`/proc/${String(child.pid)}/cmdline`, 'utf8')).not.toContain(input.key);
    expect(lines.join('\n')).not.toContain(input.key);
    expect(await engine.reach({ ...at, servedName: 'other-n0nce' })).toMatchObject({
      state: 'foreign',
    });
    expect(await engine.reach({ ...at, key: 'wrong' })).toEqual({
      state: 'foreign',
      detail: 'a server answers there that refuses our key',
    });
    const first = await complete(at, 'word '.repeat(200));
    const second = await complete(at, 'word '.repeat(200) + 'more');
    const cached = second.usage.prompt_tokens_details.cached_tokens;
    expect(cached).toBeGreaterThan(first.usage.prompt_tokens * 0.9);
    const figures = await engine.figures(at);
    expect(figures).toMatchObject({ running: 0, waiting: 0, cacheHitTokens: cached });
    expect(figures?.promptTokens).toBe(first.usage.prompt_tokens + second.usage.prompt_tokens);
    child.kill('SIGTERM');
    expect(await failed).toBe(null);
  });

  test('no page of a browser can read it, and it has none itself', async () => {
    const { ready } = start(await inputFor());
    const { root, key } = await ready();
    const headers = { authorization: `Bearer ${key}`, origin: 'http://evil.example' };
    const models = await fetch(`${root}/v1/models`, { headers });
    expect(models.status).toBe(200);
    expect(models.headers.get('access-control-allow-origin')).not.toMatch(/evil|\*/);
    expect(models.headers.get('access-control-allow-credentials')).not.toBe('true');
    expect((await fetch(`${root}/`, { headers })).status).toBe(404);
    expect((await fetch(`${root}/tools`, { headers })).status).toBeGreaterThanOrEqual(400);
    expect((await fetch(`${root}/metrics`)).status).toBe(401);
  });

  test.each([
    ['unknown-flag', { profile: { flags: { '--no-such-flag': true } } }],
    ['bad-value', { profile: { flags: { '--flash-attn': 'perhaps' } } }],
    ['model-file-missing', { entry: '/nowhere/frog.gguf' }],
    ['model-damaged', { entry: 'cut' }],
  ] as [string, Changes][])('S03 %s', async (kind, changes) => {
    const entry = changes.entry === 'cut' ? cutOff() : changes.entry;
    const input = await inputFor({ ...changes, ...(entry === undefined ? {} : { entry }) });
    const failure = await start(input).failed;
    expect(failure).toMatchObject({ kind, deterministic: true });
  });

  test('S02 a port taken between pick and bind asks for another one', async () => {
    const taken = await freePort();
    onTestFinished(async () => void (await taken.close()));
    const failure = await start(await inputFor({ port: taken.port })).failed;
    expect(failure).toMatchObject({
      kind: 'port-taken',
      deterministic: false,
      retryWith: { newPort: true },
    });
  });

  test('S03 a crash is told by its signal', async () => {
    const { child, ready, failed } = start(await inputFor());
    await ready();
    child.kill('SIGSEGV');
    expect(await failed).toMatchObject({ kind: 'engine-crashed', deterministic: false });
  });
});

function cutOff(): string {
  const file = join(temporaryFolder(), 'cut.gguf');
  writeFileSync(file, readFileSync(TADPOLE).subarray(0, 5_000_000));
  return file;
}

/** Addresses that a process listens on, from the kernel's tables. */
function listeners(pid: number): string[] {
  const rows = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/${String(pid)}/net/${name}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1),
  );
  const own = socketsOf(pid);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((row) => row[3] === '0A' && own.has(row[9] ?? ''))
    .map((row) => addressOf(row[1] ?? ''));
}

function socketsOf(pid: number): Set<string> {
  const folder = `/proc/${String(pid)}/fd`;
  const inodes = readdirLinks(folder).flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
  return new Set(inodes);
}

function readdirLinks(folder: string): string[] {
  return readdirSync(folder).map((name) => readlinkSync(join(folder, name)));
}

/** `0100007F:A2C3` as the kernel writes an address of IPv4. */
function addressOf(text: string): string {
  const [host = '', port = ''] = text.split(':');
  const bytes = host.match(/../g) ?? [];
  const shown = bytes.toReversed().map((byte) => Number.parseInt(byte, 16));
  return `${shown.join('.')}:${String(Number.parseInt(port, 16))}`;
}
