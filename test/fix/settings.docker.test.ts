import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bash, openSetting, read, RIGHT, turn, VERIFY, type Setting } from './setting.ts';

let setting: Setting;
beforeEach(async () => {
  setting = await openSetting();
});
afterEach(() => setting.dispose());

const DONE = { content: 'Done.' };

describe('settings of a session', () => {
  test('B11: --history shows what HEAD reaches, and nothing of other branches, tags and remotes', async () => {
    await setting.git('checkout', '-q', '-b', 'future');
    await setting.git('commit', '-q', '--allow-empty', '--message=the answer');
    await setting.git('tag', 'v9');
    await setting.git('checkout', '-q', 'main');
    await setting.git('remote', 'add', 'origin', 'https://example.invalid/x');
    const look =
      'git log --all --format=%s; echo "[$(git branch --all --format="%(refname:short)")$(git tag)$(git remote)]"; ' +
      'git stash list; ls .git/hooks 2>/dev/null; git status --porcelain';
    for (const [history, log] of [
      [false, 'Start of the session\n[main]\n'],
      [true, 'Start of the session\nstart\n[main]\n'],
    ] as const) {
      const model = await setting.script(turn(bash(look)), DONE);
      const { sessionId } = await setting.fix({ model, history });
      const texts = setting.core
        .events(sessionId)
        .flatMap(({ body }) => (body.type === 'step.finished' ? body.messages : []))
        .flatMap((message) => (message.role === 'tool' ? [message.content] : []));
      expect(texts).toEqual([`Exit code: 0\nSTDOUT:\n${log}\nSTDERR:\n`]);
    }
  });

  test('vivarium.yaml is used, flags win over it, and protected files add up', async () => {
    await writeFile(
      path.join(setting.repo, 'vivarium.yaml'),
      'image: no-such-image:1\nverify: "false"\nprotect: ["golden/*"]\nlimits: { steps: 1, pids: 99 }\n',
    );
    const script = await setting.script(turn(RIGHT), turn(read('calc.py')), DONE);
    const request = { model: script, image: undefined };
    await expect(setting.fix(request)).rejects.toMatchObject({
      code: 'image_missing',
      message: expect.stringContaining('no-such-image:1') as string,
    });
    const byFile = await setting.fix({ model: script });
    expect(byFile.attempts).toMatchObject([{ exitReason: 'max_turns', steps: 1 }]);
    expect(byFile.verification?.command).toBe('false');
    const byFlag = await setting.fix({ model: script, maxSteps: 9, verify: VERIFY });
    expect(byFlag).toMatchObject({ outcome: 'verified', attempts: [{ steps: 3 }] });
    const [created] = setting.core
      .events(byFlag.sessionId)
      .flatMap(({ body }) => (body.type === 'session.created' ? [body] : []));
    expect(created).toMatchObject({ limits: { pids: 99 }, request: { protect: ['golden/*'] } });
  });

  test('--runtime is used and attested; one that is not there is refused before anything is made', async () => {
    const model = await setting.script(turn(RIGHT), DONE);
    const runtime = 'io.containerd.runc.v2';
    const { sessionId, outcome } = await setting.fix({ model, runtime });
    const [opened] = setting.core
      .events(sessionId)
      .flatMap(({ body }) => (body.type === 'workspace.opened' ? [body.attestation] : []));
    expect(outcome).toBe('patched');
    expect(opened?.rows).toContainEqual({
      check: 'runtime',
      expected: runtime,
      found: runtime,
      from: 'engine',
    });
    await expect(setting.fix({ model, runtime: 'runsc-none' })).rejects.toMatchObject({
      code: 'runtime_missing',
    });
    expect(setting.core.sessions()).toHaveLength(1);
  });

  test('a scaffold file of the user: its words reach the model, also after a resume from elsewhere', async () => {
    const file = path.join(setting.folder, 'mine.yaml');
    await writeFile(file, 'extends: leaf\nsystem: "Be brief."\nuser: "Bug: {{task}}"\n');
    const model = await setting.script(turn(RIGHT), { ...DONE, delay_ms: 2000 });
    const stop = new AbortController();
    const cut = await setting.fix(
      { model, scaffold: path.relative(process.cwd(), file) },
      {
        signal: stop.signal,
        onEvent: ({ body }) => {
          if (body.type === 'step.finished') stop.abort();
        },
      },
    );
    const core = await setting.restart();
    expect((await core.resume(cut.sessionId)).outcome).toBe('patched');
    const openings = core
      .events(cut.sessionId)
      .flatMap(({ body }) => (body.type === 'attempt.opened' ? [body.messages] : []));
    expect(openings).toEqual([
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Bug: clamp is wrong' },
      ],
    ]);
  });
});
