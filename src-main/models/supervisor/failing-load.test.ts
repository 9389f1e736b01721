import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerPlan } from '../servers/types.ts';
import { temporaryHome, testSupervisor } from './testing/home.ts';
import { standInEngine } from './testing/stand-in-engine.ts';
import { startRequest } from './testing/start-request.ts';

/** A server of somebody else: healthy, and without our model. */
async function foreignServer(): Promise<number> {
  const server = foreign();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function foreign(): Server {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [{ id: 'theirs' }] }));
  });
  onTestFinished(() => void server.close());
  return server;
}

describe('a port that is taken', () => {
  it('S02 between pick and bind: another is tried, and the server runs there', async () => {
    const taken = await foreignServer();
    const failures = [{ fragment: 'EADDRINUSE', failure: { retryWith: { newPort: true } } }];
    const engine = standInEngine({
      failures,
      portOf: (launch, port) => (launch === 1 ? taken : port),
    });
    const server = await testSupervisor(temporaryHome()).start(startRequest(engine));
    expect(server.access().root).not.toBe(`http://127.0.0.1:${taken}`);
    expect(server.status()).toMatchObject({ state: 'ready', restarts: 0, failure: null });
  });

  it('S02 by a server that answers 200 while ours is silent: it is not mistaken for ours', async () => {
    let taken = 0;
    const engine = standInEngine({
      onLaunch: (launch) => (launch === 1 ? { stall: true } : {}),
      portOf: (launch, port) => {
        if (launch > 1) return port;
        taken = port;
        foreign().listen(port, '127.0.0.1');
        return port;
      },
    });
    const server = await testSupervisor(temporaryHome()).start(startRequest(engine));
    expect(server.access().root).not.toBe(`http://127.0.0.1:${taken}`);
    expect(server.status().restarts).toBe(0);
  });

  it('S02 by a program that it could not name any more: another is tried', async () => {
    const engine = standInEngine({
      onLaunch: (launch) => (launch === 1 ? { exit: 1 } : {}),
      portOf: (launch, port) => {
        if (launch === 1) foreign().listen(port, '127.0.0.1');
        return port;
      },
    });
    const server = await testSupervisor(temporaryHome()).start(startRequest(engine));
    expect(server.status()).toMatchObject({ state: 'ready', restarts: 0, failure: null });
  });

  it('S02 three times: it is given up, with the cause', async () => {
    const taken = await foreignServer();
    let launches = 0;
    const failures = [{ fragment: 'EADDRINUSE', failure: { retryWith: { newPort: true } } }];
    const engine = standInEngine({
      failures,
      portOf: (launch) => {
        launches = launch;
        return taken;
      },
    });
    const supervisor = testSupervisor(temporaryHome());
    await expect(supervisor.start(startRequest(engine))).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('EADDRINUSE') as string,
    });
    expect(launches).toBe(3);
  });
});

describe('a server that fails while it loads', () => {
  it('S03 shows the first error with cause and remedy, and is not started again', async () => {
    const supervisor = testSupervisor(temporaryHome());
    let launches = 0;
    const engine = standInEngine({
      lines: ['loading', 'ERROR the first of all', 'ERROR what follows from it'],
      exit: 1,
      failures: [{ fragment: 'the first of all', failure: { kind: 'architecture' } }],
      onLaunch: (launch) => {
        launches = launch;
        return {};
      },
    });
    await expect(supervisor.start(startRequest(engine))).rejects.toMatchObject({
      code: 'engine_failed',
      message: 'The server of toad failed. A known cause. ERROR the first of all',
      next: 'A known remedy.',
    });
    expect(launches).toBe(1);
    expect(await supervisor.status('toad')).toMatchObject({
      state: 'failed',
      failure: { kind: 'architecture', line: 'ERROR the first of all', remedy: 'A known remedy.' },
      owner: null,
      pid: null,
    });
  });

  it('S03 for an unknown reason shows its first error and its exit code', async () => {
    const supervisor = testSupervisor(temporaryHome());
    const engine = standInEngine({ lines: ['fine', 'ValueError: odd', 'bye'], exit: 7 });
    await expect(supervisor.start(startRequest(engine))).rejects.toMatchObject({
      message:
        'The server of toad failed. The engine ended with exit code 7 while it loaded the model. ValueError: odd',
      next: expect.stringMatching(/^What it printed is in .*server\.log\.$/) as string,
    });
  });

  it('S03 with a limit that the engine names is tried once more within it, and says so', async () => {
    const plans: ServerPlan[] = [];
    const said: string[] = [];
    const failure = { retryWith: { contextTokens: 2_048 }, deterministic: true };
    const engine = standInEngine({
      plans,
      failures: [{ fragment: 'too large', failure }],
      onLaunch: (launch) => (launch === 1 ? { lines: ['ERROR too large'], exit: 1 } : {}),
    });
    const server = await testSupervisor(temporaryHome()).start(
      startRequest(engine, { onStatus: ({ progress }) => said.push(progress ?? '') }),
    );
    expect(plans.map(({ contextTokens }) => contextTokens)).toEqual([4_096, 2_048]);
    expect(said).toContain('trying with a context of 2048 instead of 4096 tokens: A known cause.');
    expect(server.status().plan?.contextTokens).toBe(2_048);
  });

  it('S03 a second time in spite of that is given up', async () => {
    const plans: ServerPlan[] = [];
    const failure = { retryWith: { contextTokens: 2_048 }, deterministic: true };
    const engine = standInEngine({
      plans,
      lines: ['ERROR too large'],
      exit: 1,
      failures: [{ fragment: 'too large', failure }],
    });
    const supervisor = testSupervisor(temporaryHome());
    await expect(supervisor.start(startRequest(engine))).rejects.toMatchObject({
      code: 'engine_failed',
    });
    expect(plans).toHaveLength(2);
  });

  it('S03 by a crash is started again, three times at most', async () => {
    let launches = 0;
    const engine = standInEngine({
      lines: ['loading'],
      onLaunch: (launch) => {
        launches = launch;
        return { die: 'SIGSEGV' };
      },
    });
    const supervisor = testSupervisor(temporaryHome());
    await expect(supervisor.start(startRequest(engine))).rejects.toMatchObject({
      message:
        'The server of toad failed. The engine was ended by SIGSEGV while it loaded the model. loading',
    });
    expect(launches).toBe(4);
    expect((await supervisor.status('toad')).restarts).toBe(3);
  });

  it('S03 without its program is told before anything is started', async () => {
    const supervisor = testSupervisor(temporaryHome());
    const engine = standInEngine();
    const { command } = engine;
    const missing = {
      ...engine,
      command: (input: Parameters<typeof command>[0]) => {
        const made = command(input);
        return made.kind === 'program' ? { ...made, argv: ['/nowhere/vllm'] } : made;
      },
    };
    await expect(supervisor.start(startRequest(missing))).rejects.toMatchObject({
      message: expect.stringContaining('/nowhere/vllm is not there') as string,
    });
    expect((await supervisor.status('toad')).failure?.kind).toBe('engine_missing');
  });

  it('S03 a fault of the profile is found before the start', async () => {
    const engine = { ...standInEngine(), check: () => ['--no-such-flag is not known'] };
    const supervisor = testSupervisor(temporaryHome());
    await expect(supervisor.start(startRequest(engine))).rejects.toMatchObject({
      code: 'profile_invalid',
      message: 'stand-in 1.0 would refuse the profile of toad: --no-such-flag is not known',
    });
  });
});

describe('what the user set for other programs', () => {
  it('S08 does not reach the server, and loopback is never proxied', async () => {
    const names = ['HTTP_PROXY', 'VLLM_PORT', 'LD_LIBRARY_PATH', 'PYTHONPATH'];
    for (const name of names) process.env[name] = 'from-the-user';
    onTestFinished(() => {
      for (const name of names) delete process.env[name];
    });
    const server = await testSupervisor(temporaryHome()).start(
      startRequest(standInEngine(), { profileChanges: { environment: { WANTED: 'yes' } } }),
    );
    const response = await fetch(`${server.access().root}/environment`);
    const { env } = (await response.json()) as { env: Record<string, string> };
    expect(Object.keys(env).toSorted()).toEqual([
      'NO_PROXY',
      'PATH',
      'SPT_NOENV',
      'STAND_IN_KEY',
      'STAND_IN_NAME',
      'VIVARIUM_SERVER_NONCE',
      'WANTED',
      'no_proxy',
    ]);
    expect(env['NO_PROXY']).toBe('127.0.0.1,localhost,::1');
  });

  it('S08 nor does the key reach the log', async () => {
    const home = temporaryHome();
    const engine = standInEngine();
    const { command } = engine;
    const telling = {
      ...engine,
      command: (input: Parameters<typeof command>[0]) => {
        const made = command(input);
        const words = JSON.stringify({ port: input.port, lines: [`api key: ${input.key}`] });
        return made.kind === 'program'
          ? { ...made, argv: [...made.argv.slice(0, 2), words] }
          : made;
      },
    };
    const shown: string[] = [];
    const server = await testSupervisor(home).start(
      startRequest(telling, { onLog: (line) => shown.push(line) }),
    );
    await server.stop();
    expect(shown).toContain('api key: ***');
    expect(readFileSync(server.status().logFile ?? '', 'utf8')).toContain('api key: ***\n');
  });
});
