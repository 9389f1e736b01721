import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { processIdentity } from '../../../../lib/index.ts';
import type { LaunchCommand, LaunchInput, ServerEngine } from '../../../servers/types.ts';
import { pickPort } from '../../../supervisor/ports.ts';
import { launchInput } from '../../../testing/launch.ts';
import { createSglangEngine } from '../../sglang/index.ts';
import { createVllmEngine } from '../../vllm/index.ts';
import { MODELS, temporaryFolder } from '../testing.ts';

const run = promisify(execFile);
const BASE = process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest';
const IMAGE = `vivarium-test-engine:${String(process.pid)}`;

/** Tells what a server in the container can see and do; listens as the real ones would. */
const SERVER = `
import http.server, json, os, socketserver, sys
words = sys.argv[1:]
def value(flag): return words[words.index(flag) + 1]
key = value("--api-key") if "--api-key" in words else os.environ["VLLM_API_KEY"]
def can(path, flags):
    try: os.close(os.open(path, flags, 0o600)); return True
    except OSError: return False
def told():
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return {
      "interfaces": sorted(os.listdir("/sys/class/net")), "uid": os.getuid(),
      "capabilities": int(status["CapEff"], 16), "no_new_privileges": status["NoNewPrivs"].strip(),
      "reads_model": can("/model/config.json", os.O_RDONLY),
      "writes_model": can("/model/new", os.O_WRONLY | os.O_CREAT),
      "writes_root": can("/new", os.O_WRONLY | os.O_CREAT),
      "writes_cache": can("/cache/new", os.O_WRONLY | os.O_CREAT),
      "writes_temporary": can("/tmp/new", os.O_WRONLY | os.O_CREAT),
      "cmdlines": [open(f"/proc/{pid}/cmdline").read() for pid in os.listdir("/proc") if pid.isdigit()],
      "env": dict(os.environ)}
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def address_string(self): return "client"
    def do_GET(self):
        if self.headers.get("authorization") != "Bearer " + key: return self.answer(401, {})
        if self.path == "/v1/models":
            return self.answer(200, {"data": [{"id": value("--served-model-name"), "max_model_len": 2048}]})
        if self.path == "/big": return self.answer(200, {"text": "x" * 5_000_000})
        if self.path == "/ready": return self.answer(200, {})
        if self.path == "/told": return self.answer(200, told())
        self.answer(404, {})
    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
print("Application startup complete.", flush=True)
if "--uds" in words:
    class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer): daemon_threads = True
    Server(value("--uds"), Handler).serve_forever()
http.server.ThreadingHTTPServer((value("--host"), int(value("--port"))), Handler).serve_forever()
`;

const VLLM = `#!/bin/sh
case "$*" in
  --version) echo 0.33.0;;
  "serve --help=all") printf -- '  --uds UDS\\n  --host HOST\\n  --served-model-name NAME\\n';;
  *) exec python3 /opt/server.py "$@";;
esac
`;

beforeAll(buildImage, 120_000);

afterAll(async () => {
  await run('docker', ['image', 'rm', '-f', IMAGE]);
});

/** An image with stand-ins for both engines; only files are added, so nothing runs to build it. */
async function buildImage(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vivarium-build-'));
  const put = (name: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode });
  };
  // SGLang is found as a package: its metadata is asked for, and its module is run.
  const packages = 'files/usr/lib/python3/dist-packages';
  put('files/opt/server.py', SERVER);
  put('files/usr/local/bin/vllm', VLLM, 0o755);
  put(`${packages}/sglang/__init__.py`, '');
  put(`${packages}/sglang/launch_server.py`, SERVER);
  put(
    `${packages}/sglang-0.5.23.dist-info/METADATA`,
    'Metadata-Version: 2.1\nName: sglang\nVersion: 0.5.23\n',
  );
  put('Dockerfile', `FROM ${BASE}\nCOPY files /\n`);
  try {
    await run('docker', ['build', '-q', '--network', 'none', '-t', IMAGE, folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inputFor(engine: ServerEngine, port: number): Promise<LaunchInput> {
  const folder = temporaryFolder();
  for (const name of ['model, "odd"', 'cache']) mkdirSync(join(folder, name), { mode: 0o700 });
  const model = join(folder, 'model, "odd"');
  writeFileSync(join(model, 'config.json'), '{}');
  const source = { kind: 'container' as const, image: IMAGE };
  const given = launchInput({
    profile: {
      engine: engine.id,
      source,
      environment: { WANTED: 'yes', PATH: '/usr/local/bin:/usr/bin' },
    },
    model: { ...MODELS['frogmini-14b'], folder: model, entry: model },
    port,
    key: 'the-key',
    servedName: 'frog/1-n0nce',
    cacheFolder: join(folder, 'cache'),
    env: { ...process.env, HTTP_PROXY: 'http://proxy' },
  });
  const installation = await engine.probe(given.profile, { env: given.env });
  return { ...given, installation };
}

interface Started {
  child: ChildProcess;
  command: Extract<LaunchCommand, { kind: 'program' }>;
  output(): string[];
  exited: Promise<number | null>;
}

function start(engine: ServerEngine, input: LaunchInput): Started {
  const command = engine.command(input);
  if (command.kind !== 'program') throw new Error('not a program');
  const [file = '', ...args] = command.argv;
  const child = spawn(file, args, { env: command.env, cwd: command.cwd, detached: true });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (data: string) => (text += data));
  }
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  onTestFinished(async () => {
    const { name = '', remover = 'docker' } = command.container ?? {};
    await run(remover, ['rm', '-f', name]).catch(() => {});
    child.kill('SIGKILL');
  });
  return { child, command, output: () => text.split('\n'), exited };
}

async function until<Value>(look: () => Promise<Value | null>): Promise<Value> {
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    await sleep(50);
  }
}

async function untilReady(
  engine: ServerEngine,
  input: LaunchInput,
  started: Started,
): Promise<string> {
  const root = `http://127.0.0.1:${String(input.port)}`;
  const { key, servedName } = input;
  await until(async () => {
    if (started.child.exitCode !== null) throw new Error(started.output().join('\n'));
    const signal = AbortSignal.timeout(5_000);
    const seen = await engine.reach({ root, key, servedName, signal });
    if (seen.state === 'foreign') throw new Error(seen.detail);
    return seen.state === 'ready' ? seen : null;
  });
  return root;
}

const relayFolders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => /^vivarium-[A-Za-z0-9]{6}$/.test(name));

const ENGINES = [createVllmEngine(), createSglangEngine()].map(
  (engine) => [engine.id, engine] as const,
);

test.each(ENGINES)(
  'S08 %s in a container: no network, no rights, only what it needs; reached through loopback',
  async (_id, engine) => {
    const input = await inputFor(engine, await pickPort());
    const started = start(engine, input);
    const root = await untilReady(engine, input, started);
    const headers = { authorization: 'Bearer the-key' };
    const told = (await (await fetch(`${root}/told`, { headers })).json()) as Record<
      string,
      unknown
    >;
    expect(told).toMatchObject({
      interfaces: ['lo'],
      uid: process.getuid?.(),
      capabilities: 0,
      no_new_privileges: '1',
      reads_model: true,
      writes_model: false,
      writes_root: false,
      writes_cache: true,
      writes_temporary: true,
      env: {
        WANTED: 'yes',
        HF_HUB_OFFLINE: '1',
        HF_HOME: '/cache/huggingface',
        PATH: '/usr/local/bin:/usr/bin',
      },
    });
    expect(told['env']).not.toHaveProperty('HTTP_PROXY');
    expect(JSON.stringify(told['cmdlines'])).not.toContain('the-key');
    expect(started.command.argv.join(' ')).not.toContain('the-key');
    const big = (await (await fetch(`${root}/big`, { headers })).json()) as { text: string };
    expect(big.text.length).toBe(5_000_000);
    const { name = '' } = started.command.container ?? {};
    expect(name).toBe('vivarium-server-frog-1-n0nce');
    const { stdout } = await run('docker', [
      ...['inspect', '--format', '{{json .Config.Labels}} {{json .NetworkSettings.Ports}}', name],
    ]);
    expect(stdout).toContain(`"vivarium.server-owner":"${processIdentity()}"`);
    // TERM to the group is how the supervisor stops it: nothing is left.
    process.kill(-(started.child.pid ?? 0), 'SIGTERM');
    await started.exited;
    await until(async () => ((await containers(name)).length === 0 ? true : null));
    await expect(fetch(root)).rejects.toThrow('fetch failed');
  },
  60_000,
);

async function containers(name: string): Promise<string[]> {
  const { stdout } = await run('docker', ['ps', '-aq', '--filter', `name=${name}`]);
  return stdout.trim().split('\n').filter(Boolean);
}

test('S01 killed at once, the container is found by its name and ended by the remover', async () => {
  const engine = createVllmEngine();
  const before = relayFolders();
  const input = await inputFor(engine, await pickPort());
  const started = start(engine, input);
  await untilReady(engine, input, started);
  process.kill(-(started.child.pid ?? 0), 'SIGKILL');
  await started.exited;
  const { name = '', remover = '' } = started.command.container ?? {};
  await run(remover, ['rm', '-f', name], { env: started.command.env });
  expect(await containers(name)).toEqual([]);
  // The socket that the relay could not remove does not block the next start.
  const again = start(engine, input);
  await untilReady(engine, input, again);
  expect(relayFolders()).toEqual(before);
}, 60_000);

test('S02 a taken port shows at once, before anything is started, and is told as such', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const engine = createVllmEngine();
  const input = await inputFor(engine, (server.address() as AddressInfo).port);
  const before = relayFolders();
  const started = start(engine, input);
  const code = await started.exited;
  const exit = { code, signal: null };
  const failure = engine.classify({ lines: started.output(), exit, outOfMemoryKilled: false });
  expect(failure).toMatchObject({ kind: 'port-taken', retryWith: { newPort: true } });
  expect(await containers(started.command.container?.name ?? '')).toEqual([]);
  expect(relayFolders().filter((name) => !before.includes(name))).toEqual([]);
}, 60_000);

test('a data folder with a path too long for a socket is worked around, and leaves nothing', async () => {
  const engine = createVllmEngine();
  const short = await inputFor(engine, await pickPort());
  const cacheFolder = join(short.cacheFolder, 'long'.repeat(40));
  mkdirSync(cacheFolder, { recursive: true });
  const before = relayFolders();
  const input = { ...short, cacheFolder };
  const started = start(engine, input);
  await untilReady(engine, input, started);
  expect(relayFolders().length).toBe(before.length + 1);
  process.kill(-(started.child.pid ?? 0), 'SIGTERM');
  await started.exited;
  expect(relayFolders()).toEqual(before);
}, 60_000);

test('S03 an image that is not there, or does not have the engine', async () => {
  const { profile, env } = launchInput({ env: process.env });
  const probe = (image: string): Promise<unknown> =>
    createVllmEngine().probe({ ...profile, source: { kind: 'container', image } }, { env });
  await expect(probe('vivarium-no-such:1')).rejects.toMatchObject({
    code: 'engine_missing',
    message: 'the image vivarium-no-such:1 of vLLM is not on this machine',
    next: 'Load it from a file: docker load -i IMAGE.tar. Nothing is fetched.',
  });
  await expect(probe(BASE)).rejects.toMatchObject({
    code: 'engine_missing',
    message: expect.stringMatching(`^vLLM in the image ${BASE} does not run: `) as string,
  });
}, 60_000);
