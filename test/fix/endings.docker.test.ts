import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  applied,
  bash,
  leftovers,
  openSetting,
  read,
  RIGHT,
  turn,
  VERIFY,
  WRONG,
  write,
  type Setting,
} from './setting.ts';

let setting: Setting;
beforeEach(async () => {
  setting = await openSetting();
});
afterEach(() => setting.dispose());

const FIXED = 'def clamp(x, lo, hi):\n    return max(lo, min(x, hi))\n';

test('a right fix is verified, exported with provenance and trajectory, and leaves nothing', async () => {
  const model = await setting.script(turn(read('calc.py')), turn(RIGHT), { content: 'Done.' });
  const before = await setting.git('status', '--porcelain', '--ignored');
  const result = await setting.fix({ model, verify: VERIFY });
  expect(result.outcome).toBe('verified');
  expect(result.attempts).toMatchObject([
    { exitReason: 'agent', steps: 3, seed: 1, verified: true },
  ]);
  expect(result.verification).toMatchObject({
    before: { passed: false },
    after: { passed: true },
    fixed: ['test_calc.py::test_inside'],
    regressions: [],
  });
  const file = result.patch?.file ?? '';
  expect(await applied(setting, file, 'calc.py')).toBe(FIXED);
  const json = async (suffix: string): Promise<unknown> =>
    JSON.parse(await readFile(file.replace(/\.patch$/, suffix), 'utf8'));
  expect(await json('.json')).toMatchObject({
    session: result.sessionId,
    issue: 'clamp is wrong',
    base: { commit: await setting.git('rev-parse', 'HEAD'), dirty: { modified: 0, untracked: 0 } },
    exitReason: 'agent',
    patch: { sha256: result.patch?.sha256, source: 'live' },
    verification: { passed: true },
  });
  expect(await json('.trajectory.json')).toMatchObject({
    trajectory_format: 'leaf-function-calling',
    n_steps: 3,
    exit_reason: 'agent',
    final_message: 'Done.',
    output_patch: await readFile(file, 'utf8'),
    partial: false,
  });
  expect(await leftovers(result.sessionId)).toEqual([]);
  expect(await setting.git('status', '--porcelain', '--ignored')).toBe(before);
});

test('--attempts stops at the first verified patch and keeps all', async () => {
  const model = await setting.script(
    ...[{ seed: 7 }, turn(WRONG), { content: 'a' }],
    ...[{ seed: 8 }, turn(RIGHT), { content: 'b' }],
    ...[{ seed: 9 }, turn(RIGHT), { content: 'c' }],
  );
  const result = await setting.fix({ model, verify: VERIFY, attempts: 3, seed: 7 });
  expect(result.outcome).toBe('verified');
  expect(result.attempts.map(({ seed, verified }) => [seed, verified])).toEqual([
    [7, false],
    [8, true],
  ]);
  expect(result.patch?.attemptId).toBe(`${result.sessionId}.2`);
});

test('--parallel runs attempts at once and ends the others when one is verified', async () => {
  const model = await setting.script(
    ...[{ seed: 1 }, turn(RIGHT), { content: 'a' }],
    ...[{ seed: 2 }, turn(WRONG), { content: 'late', delay_ms: 60_000 }],
  );
  const result = await setting.fix({ model, verify: VERIFY, attempts: 2, parallel: 2 });
  expect(result.outcome).toBe('verified');
  expect(result.attempts.map(({ exitReason }) => exitReason)).toEqual(['agent', 'cancelled']);
  expect(await leftovers(result.sessionId)).toEqual([]);
});

test('P08: nothing changed is said so, and no file is written', async () => {
  const model = await setting.script(turn(read('calc.py')), { content: 'All is well.' });
  const result = await setting.fix({ model, verify: VERIFY });
  expect(result).toMatchObject({ outcome: 'no_patch', patch: null, verification: null });
  expect(existsSync(setting.out)).toBe(false);
  await expect(
    setting.core.export(result.sessionId, { out: setting.out, format: 'patch' }),
  ).rejects.toMatchObject({ code: 'nothing_to_export' });
});

test('P11: the patch is exported at the step limit', async () => {
  const model = await setting.script(turn(RIGHT), turn(bash('true')), turn(bash('true')));
  const result = await setting.fix({ model, maxSteps: 2 });
  expect(result.attempts).toMatchObject([{ exitReason: 'max_turns', steps: 2 }]);
  expect(await applied(setting, result.patch?.file ?? '', 'calc.py')).toBe(FIXED);
});

test('P11: the patch is exported when the context is full', async () => {
  const usage = (prompt: number) => ({ usage: { prompt_tokens: prompt, completion_tokens: 10 } });
  const model = await setting.script(
    { script: { context_tokens: 1000 } },
    { ...turn(RIGHT), ...usage(500) },
    { ...turn(bash('true')), ...usage(995) },
    { content: 'never', ...usage(1200) },
  );
  const result = await setting.fix({ model });
  expect(result.attempts).toMatchObject([{ exitReason: 'max_context_len' }]);
  expect(await applied(setting, result.patch?.file ?? '', 'calc.py')).toBe(FIXED);
});

test('P11: cancel ends at once and exports what there is', async () => {
  const model = await setting.script(turn(RIGHT), turn(bash('sleep 300', 600)));
  const stop = new AbortController();
  const result = await setting.fix(
    { model, verify: VERIFY },
    {
      signal: stop.signal,
      onEvent: ({ body }) => {
        if (body.type === 'step.finished') setTimeout(() => stop.abort(), 300);
      },
    },
  );
  expect(result).toMatchObject({ outcome: 'cancelled', attempts: [{ exitReason: 'cancelled' }] });
  expect(await applied(setting, result.patch?.file ?? '', 'calc.py')).toBe(FIXED);
  expect(await leftovers(result.sessionId)).toEqual([]);
});

test('P11: the time limit ends a running command and exports what there is', async () => {
  const model = await setting.script(turn(RIGHT), turn(bash('sleep 300', 600)));
  const result = await setting.fix({ model, timeLimitSeconds: 3 });
  expect(result.attempts).toMatchObject([{ exitReason: 'max_time' }]);
  expect(result.attempts[0]?.seconds.total).toBeLessThan(10);
  expect(await applied(setting, result.patch?.file ?? '', 'calc.py')).toBe(FIXED);
});

test('P11: a model server that fails for good ends the attempt with its patch', async () => {
  const model = await setting.script(turn(RIGHT), { fault: 'status', status: 401 });
  const result = await setting.fix({ model });
  expect(result.attempts).toMatchObject([{ exitReason: 'llm_query_error' }]);
  expect(await applied(setting, result.patch?.file ?? '', 'calc.py')).toBe(FIXED);
});

test('B10: a container removed in mid-command ends the attempt with the last checkpoint', async () => {
  const model = await setting.script(turn(RIGHT), turn(write('later.py', 'x'), bash('sleep 300')));
  const began = Date.now();
  const result = await setting.fix(
    { model },
    {
      onEvent: ({ body, sessionId }) => {
        if (body.type !== 'step.finished' || body.step !== 1) return;
        setTimeout(() => void removeContainers(sessionId), 500);
      },
    },
  );
  expect(Date.now() - began).toBeLessThan(30_000);
  expect(result.attempts).toMatchObject([{ exitReason: 'workspace_lost' }]);
  expect(result.patch?.files.map(({ path: name }) => name)).toEqual(['calc.py']);
  expect(await applied(setting, result.patch?.file ?? '', 'calc.py')).toBe(FIXED);
});

async function removeContainers(sessionId: string): Promise<void> {
  const filter = `label=vivarium.session=${sessionId}`;
  const { stdout } = await execa('docker', ['ps', '-aq', '--filter', filter]);
  await execa('docker', ['rm', '-f', ...stdout.split('\n').filter(Boolean)]);
}

test('P02: an ignored new file is listed, and taken when asked for', async () => {
  await writeFile(path.join(setting.repo, '.gitignore'), '*.log\n');
  await setting.git('add', '.gitignore');
  await setting.git('commit', '--quiet', '--message=ignore');
  const model = await setting.script(turn(write('a.log', 'x\n'), RIGHT), { content: 'ok' });
  const without = await setting.fix({ model });
  expect(without.patch?.leftOut).toEqual([
    { path: 'a.log', reason: expect.stringContaining('.gitignore') as string },
  ]);
  const taken = await setting.fix({ model, include: ['*.log'] });
  expect(taken.patch?.files.map((file) => file.path)).toEqual(['a.log', 'calc.py']);
});

test('P12: whether the patch still applies to the working tree is checked and said', async () => {
  const model = await setting.script(turn(RIGHT), { content: 'ok', delay_ms: 1000 });
  const result = await setting.fix(
    { model },
    {
      onEvent: ({ body }) => {
        if (body.type !== 'step.finished' || body.step !== 1) return;
        void writeFile(path.join(setting.repo, 'calc.py'), 'def clamp(x, lo, hi):\n    return x\n');
      },
    },
  );
  expect(result.patch?.appliesToWorkingTree).toBe(false);
  expect(await applied(setting, result.patch?.file ?? '', 'calc.py')).toBe(FIXED);
});

test('a session that cannot start leaves no record, snapshot or container', async () => {
  const model = await setting.script(turn(RIGHT));
  await expect(setting.fix({ model, image: 'no-such-image:1' })).rejects.toMatchObject({
    code: 'image_missing',
  });
  await expect(setting.fix({ model: 'script:/no/such/file' })).rejects.toMatchObject({
    code: 'script_invalid',
  });
  expect(setting.core.sessions()).toEqual([]);
  expect(existsSync(path.join(setting.home, 'snapshots'))).toBe(false);
});
