import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openLlamaCpp } from './index.ts';
import {
  ENDLESS,
  isRunning,
  openServer,
  SMOLLM,
  TADPOLE,
  temporaryFolder,
  waitUntil,
} from './testing.ts';

describe('the engine process', () => {
  it('S06 close ends process and port, also while it generates and when called twice', async () => {
    const { handle, url } = await openServer(TADPOLE);
    const pid = handle.pid ?? 0;
    const running = handle.chat.complete({ ...ENDLESS, onDelta: () => void handle.close() });
    await expect(running).rejects.toMatchObject({
      code: expect.stringMatching(/^(endpoint|engine)_/) as string,
    });
    await Promise.all([handle.close(), handle.close()]);
    expect(isRunning(pid)).toBe(false);
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  });

  it('S08 neither sees the environment of the user nor shows its key', async () => {
    const env = {
      ...process.env,
      HTTP_PROXY: 'http://127.0.0.1:9',
      LD_LIBRARY_PATH: '/nowhere',
      PYTHONPATH: '/nowhere',
      VLLM_PORT: '1',
      NODE_OPTIONS: '--no-warnings',
    };
    const { handle, key } = await openServer(TADPOLE, { env });
    const read = (name: string): string => readFileSync(`/proc/${handle.pid}/${name}`, 'latin1');
    const names = read('environ')
      .split('\0')
      .map((pair) => pair.split('=')[0]);
    for (const name of [
      'HTTP_PROXY',
      'LD_LIBRARY_PATH',
      'PYTHONPATH',
      'VLLM_PORT',
      'NODE_OPTIONS',
    ]) {
      expect(names).not.toContain(name);
    }
    expect(names).toContain('PATH');
    expect(read('environ') + read('cmdline')).not.toContain(key);
    await handle.close();
  });

  it('a crash of native code is an error of the turn, with the log kept, and the app goes on', async () => {
    const home = temporaryFolder();
    const { handle } = await openServer(TADPOLE, { home });
    const pid = handle.pid ?? 0;
    const crash = handle.chat.complete({ ...ENDLESS, onDelta: () => process.kill(pid, 'SIGSEGV') });
    await expect(crash).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('ended by SIGSEGV') as string,
    });
    await expect(handle.chat.complete(ENDLESS)).rejects.toMatchObject({ code: 'engine_failed' });
    await handle.close();
    const logs = readdirSync(join(home, 'logs'));
    expect(logs).toHaveLength(1);
    expect(readFileSync(join(home, 'logs', logs[0] ?? ''), 'utf8')).not.toBe('');
  });

  it('S01 is gone within 5 s when the app is killed with kill -9', async () => {
    const home = temporaryFolder();
    const script = join(home, 'app.ts');
    const engine = pathToFileURL(fileURLToPath(new URL('./index.ts', import.meta.url))).href;
    writeFileSync(
      script,
      `import { openLlamaCpp } from ${JSON.stringify(engine)};
       const handle = await openLlamaCpp(${JSON.stringify(TADPOLE)}, { home: ${JSON.stringify(home)}, env: process.env });
       console.log(handle.pid);
       for (;;) await handle.chat.complete(${JSON.stringify(ENDLESS)});`,
    );
    const app = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) => {
      createInterface({ input: app.stdout }).once('line', (line) => resolve(Number(line)));
    });
    expect(isRunning(pid)).toBe(true);
    // In the middle of a generation.
    await new Promise((resolve) => setTimeout(resolve, 300));
    app.kill('SIGKILL');
    expect(await waitUntil(() => !isRunning(pid), 5_000)).not.toBeNull();
  });

  it('S06 an abort while it loads leaves nothing behind', async () => {
    const home = temporaryFolder();
    const cancel = new AbortController();
    let pid = 0;
    const { forkChild } = await import('../../child.ts');
    const opening = openLlamaCpp(SMOLLM, {
      home,
      env: process.env,
      signal: cancel.signal,
      startChild: async (options) => {
        const child = await forkChild(options);
        pid = child.pid;
        setTimeout(() => cancel.abort(new Error('stop')), 100);
        return child;
      },
    });
    await expect(opening).rejects.toThrow('stop');
    expect(isRunning(pid)).toBe(false);
  });

  it('S03 a crash while it loads is told with its signal', async () => {
    const home = temporaryFolder();
    const { forkChild } = await import('../../child.ts');
    const opening = openLlamaCpp(TADPOLE, {
      home,
      env: process.env,
      startChild: async (options) => {
        const child = await forkChild(options);
        process.kill(child.pid, 'SIGKILL');
        return child;
      },
    });
    await expect(opening).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('ended by SIGKILL while it loaded the model') as string,
    });
  });

  it('answers from the checksum cache the second time', async () => {
    const home = temporaryFolder();
    const sums: (string | null)[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const handle = await openLlamaCpp(TADPOLE, { home, env: process.env });
      sums.push(handle.info.sha256);
      await handle.chat.complete({ ...ENDLESS, maxTokens: 1 });
      await handle.close();
    }
    const known = 'c8ac0a77420ed4809c820ab11638aead347367ba71d0657ac1468f1f6b96b2f2';
    expect(sums).toEqual([known, known]);
    const cache = JSON.parse(readFileSync(join(home, 'cache', 'sha256.json'), 'utf8')) as object;
    expect(Object.keys(cache)).toEqual([TADPOLE]);
  });
});
