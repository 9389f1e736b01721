import { mkdir, readFile, readdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  libraryModelSchema,
  planReportSchema,
  verifyResultSchema,
} from '../../src-main/contract/index.ts';
import { gguf, GGUF_METADATA } from '../../src-main/models/library/testing.ts';
import { makePlace, removePlace, start, type Place } from './command.ts';
import { failure, models, parsed, stick, TADPOLE } from './models.ts';

const HOSTILE = 'Evil\u001b[2J\u001b]0;t\u0007\u202eName';

let place: Place;
let file: string;

beforeAll(async () => {
  place = await makePlace();
  file = await stick(place);
});

afterAll(() => removePlace(place));

/** Nothing in it can act on a terminal or reorder a line. */
const SAFE = /^[\n\x20-\x7e]*$/;

describe('the library', () => {
  test('is empty at first, and says how to fill it', async () => {
    expect(await models(place, 'list')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'There are no models yet. Bring one with `vivarium models add PATH`.\n',
    });
    expect((await models(place, 'list', '--json')).stdout).toBe('[]\n');
    const none = await models(place, 'show', 'frog');
    expect([none.code, none.stderr]).toEqual([
      2,
      'error: There is no model named "frog".\nnext: The library is empty: add a model with `vivarium models add PATH`.\n',
    ]);
  });

  test('takes a model where it is, and shows it', async () => {
    const added = await models(place, 'add', file);
    const shown = await models(place, 'show', 'tadpole');
    expect([added.code, added.stdout]).toEqual([0, shown.stdout]);
    expect(added.stderr).toBe(
      'checking\nhashing (5.4 MiB)\n\nNext: `vivarium models plan tadpole`, then `vivarium fix --model tadpole`.\n',
    );
    const model = parsed(libraryModelSchema, await models(place, 'show', 'tadpole', '--json'));
    expect(model).toMatchObject({ copied: false, entry: file, preset: 'tadpole', sums: null });
    expect(shown.stdout).toBe(`name             tadpole
preset           tadpole
architecture     qwen3
parameters       5.2M, Q8_0
layers           6: 6 with full attention
trained context  2,048 tokens
chat template    tokenizer.chat_template, without tools, calls as hermes
files            1 file, 5.4 MiB, used where they are
folder           ${path.dirname(file)}
sha256           ${model.sha256}
checksums        none beside the files
licence          not stated in the files
`);
    expect(model.files[0]?.sha256).toBeTypeOf('string');
  });

  test('does not take a second one of a name', async () => {
    const again = await models(place, 'add', file, '--json');
    expect([again.code, failure(again)]).toEqual([
      2,
      {
        code: 'model_exists',
        message: 'There is a model named tadpole already.',
        next: 'Choose another name with --name, or remove that one with `vivarium models remove tadpole`.',
      },
    ]);
  });

  test('copies on demand, checks SHA256SUMS, renames, verifies, and deletes what it copied', async () => {
    const [model] = parsed(z.array(libraryModelSchema), await models(place, 'list', '--json'));
    const sum = model?.files[0]?.sha256 ?? '';
    const sums = path.join(path.dirname(file), 'SHA256SUMS');
    await writeFile(sums, `${sum}  tadpole.gguf\n`);
    const copied = await models(place, 'add', file, '--copy', '--name', 'frog', '--json');
    const frog = parsed(libraryModelSchema, copied);
    const files = path.join(place.home, 'models', 'frog', 'files');
    expect(frog).toMatchObject({ copied: true, folder: files, sums: { checked: 1 } });
    expect((await readFile(frog.entry)).equals(await readFile(TADPOLE))).toBe(true);

    expect((await models(place, 'rename', 'frog', 'newt')).stdout).toBe('Renamed frog to newt.\n');
    const clash = await models(place, 'rename', 'newt', 'tadpole');
    expect([clash.code, clash.stderr.split('\n')[0]]).toEqual([
      2,
      'error: There is a model named tadpole already.',
    ]);
    const newt = parsed(libraryModelSchema, await models(place, 'show', 'newt', '--json'));
    expect(newt.entry).toBe(path.join(place.home, 'models', 'newt', 'files', 'tadpole.gguf'));
    const well = await models(place, 'verify', 'newt');
    expect([well.code, well.stdout]).toEqual([0, 'newt: 1 file as recorded.\n']);
    await truncate(newt.entry, 1000);
    const cut = await models(place, 'verify', 'newt');
    expect([cut.code, cut.stdout]).toEqual([
      1,
      'newt: 1 file of 1 not as recorded.\n  tadpole.gguf: size differs\n',
    ]);
    const result = parsed(verifyResultSchema, await models(place, 'verify', 'newt', '--json'));
    expect(result.faults).toEqual([{ path: 'tadpole.gguf', fault: 'size differs' }]);
    expect((await models(place, 'remove', 'newt')).stdout).toBe('Removed newt; 5.4 MiB deleted.\n');

    await writeFile(sums, `${'0'.repeat(64)}  tadpole.gguf\n`);
    const wrong = await models(place, 'add', file, '--name', 'frog', '--json');
    expect([wrong.code, failure(wrong).code]).toEqual([2, 'model_file_invalid']);
    expect(failure(wrong).message).toContain('SHA256SUMS');
    expect(await readdir(path.join(place.home, 'models'))).toEqual(['tadpole']);
    await writeFile(sums, '');
  });

  test('refuses what is no model, with the reason', async () => {
    const pickle = path.join(place.folder, 'weights.gguf');
    await writeFile(pickle, 'not a model');
    for (const source of [pickle, path.join(place.folder, 'nowhere'), place.repository]) {
      const refused = await models(place, 'add', source);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(/^(checking\n)?error: .+\nnext: .+\n$/);
    }
  });

  test('stopped while it reads: nothing is added', async () => {
    // A file with no end: reading it takes long enough for anybody.
    const folder = path.join(place.folder, 'large');
    await mkdir(folder);
    const large = path.join(folder, 'large.gguf');
    const tensor = { name: 'token_embd.weight', sides: [32, 2], type: 8, bytes: 68 };
    await writeFile(large, gguf({ metadata: GGUF_METADATA, tensors: [tensor] }));
    await truncate(large, 40 * 2 ** 30);
    const adding = start(place, ['models', 'add', large]);
    await adding.says('hashing');
    adding.kill('SIGINT');
    const { code, stderr } = await adding.ended;
    expect([code, stderr.split('\n').slice(-3)]).toEqual([
      1,
      [
        'error: stopped before it was done',
        'next: Nothing was added; run the command again to start over.',
        '',
      ],
    ]);
    expect(await readdir(path.join(place.home, 'models'))).toEqual(['tadpole']);
  });

  test('P10: names and licences that would act on a terminal are shown, not obeyed', async () => {
    const folder = path.join(place.folder, 'hostile');
    await mkdir(folder);
    const hostile = path.join(folder, 'hostile.gguf');
    const metadata = {
      ...GGUF_METADATA,
      'general.name': HOSTILE,
      'general.license': HOSTILE,
    };
    await writeFile(hostile, gguf({ metadata }));
    const added = await models(place, 'add', hostile);
    expect([added.code, added.stderr]).toEqual([0, expect.stringMatching(SAFE)]);
    const name = /^name +(\S+)$/m.exec(added.stdout)?.[1] ?? '';
    for (const words of [['show', name], ['list'], ['show', name, '--json'], ['list', '--json']]) {
      const { code, stdout } = await models(place, ...words);
      expect([code, stdout]).toEqual([0, expect.stringMatching(SAFE)]);
    }
    expect(added.stdout).toContain('licence          Evil\\x1b[2J\\x1b]0;t\\x07\\u{202e}Name (');
    expect((await models(place, 'remove', name)).stdout).toBe(
      `Removed ${name}; the files stay where they are.\n`,
    );
  });
});

describe('profiles', () => {
  test('are shown, set member by member with comments kept, exported and imported', async () => {
    const before = await models(place, 'profile', 'show', 'tadpole');
    expect(before.stdout).toContain('\n# What it was trained with.\ncontextTokens: 2048\n');
    const set = await models(place, 'profile', 'set', 'tadpole', '--set', 'contextTokens=1024');
    expect([set.code, set.stdout]).toEqual([
      0,
      'The profile of tadpole is changed; it holds from the next start on.\n',
    ]);
    const after = await models(place, 'profile', 'show', 'tadpole');
    expect(after.stdout).toBe(before.stdout.replace('contextTokens: 2048', 'contextTokens: 1024'));

    const exported = path.join(place.folder, 'tadpole.yaml');
    expect(await models(place, 'profile', 'export', 'tadpole', exported)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `Written to ${exported}.\n`,
    });
    const twice = await models(place, 'profile', 'export', 'tadpole', exported);
    expect([twice.code, twice.stderr]).toEqual([
      3,
      expect.stringContaining('next: Name a new file in a folder that can be written to.\n'),
    ]);
    const yaml = await readFile(exported, 'utf8');
    expect((await models(place, 'profile', 'export', 'tadpole')).stdout).toBe(yaml);
    const mine = yaml
      .replace('contextTokens: 1024', '# Mine.\ncontextTokens: 2048')
      .replace('source: auto', 'source:\n  venv: /opt/vllm')
      .replace('engine: llamacpp', 'engine: vllm');
    await writeFile(exported, mine);
    const imported = await models(place, 'profile', 'import', 'tadpole', exported);
    expect([imported.code, imported.stdout, imported.stderr]).toEqual([
      0,
      'The profile of tadpole is that of tadpole.yaml now.\n',
      'note: it starts the engine in /opt/vllm\n',
    ]);
    expect((await models(place, 'profile', 'show', 'tadpole')).stdout).toContain(
      '\n# Mine.\ncontextTokens: 2048\n',
    );
    const plan = await models(place, 'plan', 'tadpole');
    expect([plan.code, plan.stdout]).toEqual([1, expect.stringContaining('it would not start:')]);
    await writeFile(exported, before.stdout);
    expect((await models(place, 'profile', 'import', 'tadpole', exported)).code).toBe(0);
  });

  test('that say what cannot be are refused, and stay as they were', async () => {
    const cases: [string[], string][] = [
      [[], 'nothing to set was named'],
      [['--set', 'contextTokns=5'], 'contextTokens'],
      [['--set', 'contextTokens=many'], 'contextTokens'],
      [['--engine-flag=--host=0.0.0.0'], '--host'],
    ];
    const before = await models(place, 'profile', 'show', 'tadpole');
    for (const [words, told] of cases) {
      const refused = await models(place, 'profile', 'set', 'tadpole', ...words);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(told)]);
    }
    expect((await models(place, 'profile', 'show', 'tadpole')).stdout).toBe(before.stdout);
  });
});

describe('plans', () => {
  test('that fit', async () => {
    const plan = await models(place, 'plan', 'tadpole');
    expect([plan.code, plan.stdout]).toEqual([
      0,
      expect.stringMatching(/^engine +node-llama-cpp .+\nplan +llama\.cpp on the processor: /),
    ]);
    const report = parsed(planReportSchema, await models(place, 'plan', 'tadpole', '--json'));
    expect(report.plan).toMatchObject({ fits: true, device: 'cpu', contextTokens: 2048 });
    expect(report.faults).toEqual([]);
  });

  test('S03 that would not start, each with its fault', async () => {
    const wide = await models(place, 'plan', 'tadpole', '--set', 'contextTokens=100000000');
    expect([wide.code, wide.stdout]).toEqual([
      1,
      expect.stringContaining(
        'it would not start:\n  contextTokens is 100000000, but the model was trained with 2048.\n',
      ),
    ]);
    const absent = await models(place, 'plan', 'tadpole', '--set', 'engine=sglang');
    expect([absent.code, absent.stdout]).toEqual([
      1,
      expect.stringMatching(/^engine +not found\n/),
    ]);
    for (const command of ['start', 'bench']) {
      const start = await models(place, command, 'tadpole', '--set', 'contextTokens=100000000');
      expect([start.code, start.stderr]).toEqual([
        2,
        'error: tadpole would not start: contextTokens is 100000000, but the model was trained with 2048.\n' +
          'next: Correct the profile with `vivarium models profile set tadpole`; `vivarium models plan tadpole` shows all faults.\n',
      ]);
    }
  });

  test('S03 that need more than any machine has are refused before anything runs', async () => {
    const huge = path.join(place.folder, 'huge.gguf');
    const metadata = {
      ...GGUF_METADATA,
      'general.name': 'Huge',
      'qwen3.block_count': 1000,
      'qwen3.attention.head_count': 64,
      'qwen3.attention.head_count_kv': 64,
      'qwen3.attention.key_length': 4096,
      'qwen3.attention.value_length': 4096,
    };
    await writeFile(huge, gguf({ metadata }));
    expect((await models(place, 'add', huge)).code).toBe(0);
    const planned = await models(place, 'plan', 'huge', '--json');
    expect(planned.code).toBe(1);
    expect(parsed(planReportSchema, planned).plan).toMatchObject({ fits: false });
    const refused = await models(place, 'start', 'huge', '--json');
    expect([refused.code, failure(refused)]).toEqual([
      3,
      {
        code: 'does_not_fit',
        message: expect.stringMatching(
          /^huge needs about 3\.9 TiB \(estimate\) and [\d.]+ [MG]iB are free$/,
        ) as string,
        next: 'Use a smaller model, or add about 3.9 TiB of memory; --force starts it all the same.',
      },
    ]);
    expect((await models(place, 'remove', 'huge')).code).toBe(0);
  });
});

test('a name that is not there is answered with those that are close', async () => {
  const commands = [
    'plan',
    'start',
    'stop',
    'restart',
    'status',
    'bench',
    'logs',
    'show',
    'verify',
  ];
  for (const command of commands) {
    const slip = await models(place, command, 'tadpol');
    expect([command, slip.code, slip.stderr]).toEqual([
      command,
      2,
      'error: There is no model named "tadpol".\nnext: Did you mean tadpole? `vivarium models list` shows all.\n',
    ]);
  }
});
