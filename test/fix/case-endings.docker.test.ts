import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { delta, serveAnswers, status, stream } from '../../src-main/models/testing/http-server.ts';
import { openStore } from '../../src-main/store/index.ts';
import {
  applied,
  bash,
  leftovers,
  openSetting,
  RIGHT,
  turn,
  VERIFY,
  write,
  type Setting,
} from './setting.ts';

/** Whole sessions on the inputs of the case list that need a real workspace and a real client. */
let setting: Setting;
beforeEach(async () => {
  setting = await openSetting();
});
afterEach(() => setting.dispose());

const FIXED = 'def clamp(x, lo, hi):\n    return max(lo, min(x, hi))\n';
const DONE = { content: 'Done.' };

describe('changes that make no patch', () => {
  test('P03: a change in a submodule only is named, never an empty patch without a word', async () => {
    const inner = path.join(setting.folder, 'inner');
    await mkdir(inner);
    await writeFile(path.join(inner, 'lib.py'), 'x = 1\n');
    const name = ['-c', 'user.name=T', '-c', 'user.email=t@localhost'];
    await execa('git', ['init', '-q', inner]);
    await execa('git', ['-C', inner, 'add', '.']);
    await execa('git', ['-C', inner, ...name, 'commit', '-q', '-m', 'inner']);
    const add = ['submodule', '--quiet', 'add', inner, 'sub'];
    await setting.git('-c', 'protocol.file.allow=always', ...add);
    await setting.git('commit', '-q', '-m', 'submodule');
    const model = await setting.script(turn(write('sub/lib.py', 'x = 2\n')), DONE);
    const result = await setting.fix({ model });
    expect(result).toMatchObject({ outcome: 'no_patch', patch: null });
    expect(result.leftOut).toEqual([
      { path: 'sub/lib.py', reason: 'inside a submodule, which is not part of the snapshot' },
    ]);
  });

  test('P03: a nested `git init`, with a commit in it: its files are in, its .git is named', async () => {
    const nested =
      'mkdir n && cd n && git init -q && echo 1 > a && git add a && ' +
      'git -c user.name=A -c user.email=a@b commit -q -m a && echo 2 > b';
    const model = await setting.script(turn(bash(nested)), DONE);
    const result = await setting.fix({ model });
    expect(result.patch?.files.map((file) => file.path)).toEqual(['n/a', 'n/b']);
    expect(result.leftOut).toEqual([{ path: 'n/.git', reason: 'a nested git repository' }]);
    expect(await applied(setting, result.patch?.file ?? '', 'n/b')).toBe('2\n');
  });

  test('P07: build output only is named', async () => {
    const made = 'mkdir -p node_modules/m && touch node_modules/m/i.js && python3 -c "import calc"';
    const model = await setting.script(turn(bash(`PYTHONDONTWRITEBYTECODE= ${made}`)), DONE);
    const result = await setting.fix({ model });
    expect(result).toMatchObject({ outcome: 'no_patch', patch: null });
    expect(result.leftOut.map(({ path: name }) => name)).toContain('node_modules/m/i.js');
    expect(result.leftOut.every(({ reason }) => reason.startsWith('build output'))).toBe(true);
  });

  test('P01 P08: committed changes are in; changes that were taken back are none', async () => {
    const commit = 'git config user.name A && git config user.email a@b && git commit -qam fix';
    const kept = await setting.fix({
      model: await setting.script(turn(RIGHT), turn(bash(commit)), DONE),
    });
    expect(await applied(setting, kept.patch?.file ?? '', 'calc.py')).toBe(FIXED);
    const undone = await setting.fix({
      model: await setting.script(
        turn(RIGHT),
        turn(bash(`${commit} && git reset -q --hard HEAD~1`)),
        DONE,
      ),
    });
    expect(undone).toMatchObject({ outcome: 'no_patch', patch: null, leftOut: [] });
  });
});

describe('the record', () => {
  test('B06: raw bytes of a command are kept', async () => {
    const odd = bash(String.raw`printf '\033[31mred\033[0m\r\377\000end'; printf '\376' >&2`);
    const result = await setting.fix({ model: await setting.script(turn(odd), DONE) });
    const runs = setting.core
      .events(result.sessionId)
      .flatMap(({ body }) =>
        body.type === 'step.finished' ? body.observations.flatMap(({ run }) => run ?? []) : [],
      );
    await setting.core.close();
    const store = openStore(path.join(setting.home, 'vivarium.db'));
    const kept = (blob = '') => Buffer.from(store.blob(blob)).toString('latin1');
    expect(kept(runs[0]?.stdout.head)).toBe('\x1b[31mred\x1b[0m\r\xff\0end');
    expect(kept(runs[0]?.stderr.head)).toBe('\xfe');
    expect(runs[0]).toMatchObject({ exitCode: 0, stdout: { bytes: 18, tail: null } });
    store.close();
  });

  test('provenance: all that a reviewer needs, the attested hardening included', async () => {
    const model = await setting.script(turn(RIGHT), DONE);
    const result = await setting.fix({ model, verify: VERIFY });
    const file = result.patch?.file ?? '';
    const json: unknown = JSON.parse(await readFile(file.replace(/\.patch$/, '.json'), 'utf8'));
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    const imageId = expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string;
    const row = (check: string, found: string) =>
      expect.objectContaining({ check, expected: found, found }) as object;
    expect(json).toMatchObject({
      issue: 'clamp is wrong',
      base: {
        commit: await setting.git('rev-parse', 'HEAD'),
        tree: await setting.git('rev-parse', 'HEAD^{tree}'),
      },
      model: { engine: 'scripted' },
      scaffold: { name: 'leaf', hash: sha256 },
      workspace: {
        image: imageId,
        limits: { memoryBytes: expect.any(Number) as number, pids: expect.any(Number) as number },
        attestation: {
          imageId,
          rows: expect.arrayContaining([
            row('NetworkMode', 'none'),
            row('CapDrop', 'ALL'),
          ]) as object[],
        },
      },
      exitReason: 'agent',
      steps: 2,
      tokens: { promptTokens: null },
      seconds: { total: expect.any(Number) as number },
      patch: { sha256: result.patch?.sha256 },
      verification: { before: { passed: false }, after: { passed: true } },
    });
  });
});

test('P11: the model server is killed in mid-attempt: the patch of the last checkpoint is exported', async () => {
  const edit = {
    index: 0,
    id: 'a',
    function: { name: RIGHT.name, arguments: JSON.stringify(RIGHT.arguments) },
  };
  const server = await serveAnswers([
    (response, seen) => {
      if (seen.path === '/v1/models') status(200, { data: [{ id: 'm' }] })(response, seen);
      else if (seen.path !== '/v1/chat/completions') status(404, {})(response, seen);
      else if (Array.isArray(seen.body['messages']) && seen.body['messages'].length < 3)
        stream([delta({ tool_calls: [edit] }), delta({}, 'tool_calls')])(response, seen);
      else {
        // In the middle of its second reply the server goes away for good.
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify(delta({ content: 'half' }))}\n\n`, () => {
          void server.close();
          response.destroy();
        });
      }
    },
  ]);
  const result = await setting.fix({ model: server.url });
  expect(result.attempts).toMatchObject([{ exitReason: 'llm_query_error', steps: 1 }]);
  expect(result.attempts[0]?.detail).toMatch(/nothing answers at http:\/\/127\.0\.0\.1:\d+/);
  expect(await applied(setting, result.patch?.file ?? '', 'calc.py')).toBe(FIXED);
  expect(await leftovers(result.sessionId)).toEqual([]);
});

test('B09: shells and all processes killed by the model: said, and the attempt goes on', async () => {
  const model = await setting.script(
    turn(bash('kill -9 -1')),
    turn(bash('for p in $(grep -lz sh /proc/[0-9]*/cmdline | cut -d/ -f3); do kill -9 $p; done')),
    turn(RIGHT),
    DONE,
  );
  const result = await setting.fix({ model, verify: VERIFY });
  expect(result).toMatchObject({
    outcome: 'verified',
    attempts: [{ exitReason: 'agent', steps: 4 }],
  });
  const texts = setting.core
    .events(result.sessionId)
    .flatMap(({ body }) => (body.type === 'step.finished' ? body.messages : []))
    .flatMap((message) => (message.role === 'tool' ? [message.content] : []));
  expect(texts[0]).toContain('[the command ended the shell channel; it was opened again]');
});
