import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  applied,
  bash,
  IMAGE,
  leftovers,
  openSetting,
  RIGHT,
  turn,
  VERIFY,
  write,
  type Setting,
} from './setting.ts';

const MAIN = path.resolve(import.meta.dirname, '../../src-main/doors/cli/main.ts');

let setting: Setting;
let child: ChildProcess | undefined;
beforeEach(async () => {
  setting = await openSetting();
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await setting.dispose();
});

/** Starts the CLI in a process of its own and resolves once its output shows a text. */
async function startFix(model: string, until: string): Promise<ChildProcess> {
  const flags = ['--repo', setting.repo, '--issue', 'clamp is wrong', '--image', IMAGE];
  const args = [MAIN, 'fix', ...flags, '--model', model, '--verify', VERIFY, '--out', setting.out];
  const env = { ...process.env, VIVARIUM_HOME: setting.home };
  child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let seen = '';
  for await (const chunk of child.stderr ?? []) {
    seen += String(chunk);
    if (seen.includes(until)) return child;
  }
  throw new Error(`the command ended before "${until}": ${seen}`);
}

async function kill(process: ChildProcess): Promise<void> {
  process.kill('SIGKILL');
  await once(process, 'exit');
}

async function goneWithin(sessionId: string, ms: number): Promise<string[]> {
  const end = Date.now() + ms;
  let left = await leftovers(sessionId);
  while (left.length > 0 && Date.now() < end) {
    await sleep(200);
    left = await leftovers(sessionId);
  }
  return left;
}

const FIXED = 'def clamp(x, lo, hi):\n    return max(lo, min(x, hi))\n';

test('P11: after kill -9 the last checkpoint is exported, and resume goes on from it', async () => {
  const model = await setting.script(
    turn(RIGHT, write('made.py', 'MADE = 1\n')),
    turn(bash('rm made.py && mkdir pkg && printf "A = 1\\n" > pkg/a.py && chmod +x pkg/a.py')),
    { ...turn(bash('cat pkg/a.py')), delay_ms: 2000 },
    { content: 'Done.' },
  );
  await kill(await startFix(model, 'step 2'));
  const [session] = setting.core.sessions();
  const sessionId = session?.sessionId ?? '';
  expect(session?.state).toBe('interrupted');
  expect(await goneWithin(sessionId, 5000)).toEqual([]);

  const files = await setting.core.export(sessionId, { out: setting.out, format: 'patch' });
  expect(await applied(setting, files[0] ?? '', 'calc.py')).toBe(FIXED);
  expect(setting.core.result(sessionId).patch?.files.map((file) => file.path)).toEqual([
    'calc.py',
    'pkg/a.py',
  ]);

  const result = await setting.core.resume(sessionId);
  expect(result.outcome).toBe('verified');
  expect(result.attempts).toMatchObject([{ exitReason: 'agent', steps: 4 }]);
  const patch = await readFile(result.patch?.file ?? '', 'utf8');
  expect(patch).toContain('new file mode 100755');
  expect(patch).not.toContain('made.py');
  const shown = setting.core
    .events(sessionId)
    .flatMap(({ body }) => (body.type === 'step.finished' && body.step === 3 ? body.messages : []));
  expect(shown.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringContaining('A = 1') as string,
  });
  expect(await leftovers(sessionId)).toEqual([]);
});

test('a cancelled session can be resumed; a finished one cannot', async () => {
  const model = await setting.script(turn(RIGHT), { content: 'Done.', delay_ms: 1500 });
  const stop = new AbortController();
  const cut = await setting.fix(
    { model, verify: VERIFY },
    {
      signal: stop.signal,
      onEvent: ({ body }) => {
        if (body.type === 'step.finished') stop.abort();
      },
    },
  );
  expect(cut.outcome).toBe('cancelled');
  const result = await setting.core.resume(cut.sessionId);
  expect(result).toMatchObject({
    outcome: 'verified',
    attempts: [{ exitReason: 'agent', steps: 2 }],
  });
  await expect(setting.core.resume(cut.sessionId)).rejects.toMatchObject({ code: 'usage' });
});

test('a session that runs in another process is left alone', async () => {
  const model = await setting.script(turn(RIGHT), { content: 'Done.', delay_ms: 60_000 });
  await startFix(model, 'step 1');
  const [session] = setting.core.sessions();
  expect(session?.state).toBe('running');
  await expect(setting.core.resume(session?.sessionId ?? '')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('running in another process') as string,
  });
  await setting.core.clean().catch(() => undefined);
  expect(await leftovers(session?.sessionId ?? '')).not.toEqual([]);
});
