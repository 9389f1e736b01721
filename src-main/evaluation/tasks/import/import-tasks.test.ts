import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appFolder } from '../../../lib/index.ts';
import { hiddenPaths, readTask } from '../read-task.ts';
import { importTasks, type ImportRequest } from './import-tasks.ts';
import { proTag } from './swe-bench-pro.ts';
import { sweBenchImage } from './swe-bench.ts';

const FIXTURES = path.join(appFolder(), 'test/fixtures/tasks');

let folder: string;
let out: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'import-'));
  out = path.join(folder, 'out');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, value: unknown): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

const run = (source: string, more: Partial<ImportRequest> = {}) =>
  importTasks({ format: 'swe-bench', source, out, ...more });

const V5 = JSON.parse(await readFile(path.join(FIXTURES, 'swe-bench/rows.json'), 'utf8')) as Record<
  string,
  unknown
>[];
const ROW = V5[0] ?? {};

describe('SWE-bench rows', () => {
  it('of version 5 become tasks whose log is graded', async () => {
    const report = await run(path.join(FIXTURES, 'swe-bench/rows.json'));
    expect(report).toEqual({
      out,
      written: [{ name: 'example__calc-1', image: 'vivarium-swe-demo:latest', notes: [] }],
      refused: [],
    });
    const task = await readTask(path.join(out, 'example__calc-1'));
    expect(task).toMatchObject({
      workdir: '/testbed',
      tree: { kind: 'image' },
      image: { reference: 'vivarium-swe-demo:latest', dockerfile: null },
      verifier: {
        on: 'patch',
        timeoutMs: 1_800_000,
        reader: { kind: 'swe-bench', parser: 'parse_log_pytest', failOnly: false },
        protect: ['tests/test_calc.py'],
      },
      expected: {
        failToPass: [
          'tests/test_calc.py::test_from_left_to_right[one-step]',
          'tests/test_calc.py::test_from_left_to_right[two-steps]',
        ],
        passToPass: ['tests/test_calc.py::test_one_number'],
      },
      wantsNetwork: false,
      metadata: {
        vivarium: {
          instance_id: 'example__calc-1',
          base_commit: '0123456789012345678901234567890123456789',
          version: '1.0',
        },
      },
    });
    const script = await readFile(path.join(task.folder, 'tests/eval.sh'), 'utf8');
    expect(script).toContain(
      'tests/test_calc.py\nSWEBENCH_TEST_EXIT_CODE=$?\n: \'>>>>> End Test Output\'\necho ">>>>> Test Exit Code: $SWEBENCH_TEST_EXIT_CODE"\n',
    );
  });

  it('before version 5 get the script and image that SWE-bench 4 made; CRLF survives', async () => {
    const test_patch =
      'diff --git a/tests/a/test_x.py b/tests/a/test_x.py\n--- a/tests/a/test_x.py\n+++ b/tests/a/test_x.py\n@@ -1 +1 @@\n-a\r\n+b\r\ndiff --git a/tests/data.json b/tests/data.json\n--- a/tests/data.json\n+++ b/tests/data.json\n@@ -1 +1 @@\n-1\n+2\n';
    const { image: _, log_parser: __, eval_script: ___, eval_type: ____, ...classic } = ROW;
    const rows = ['django/django', 'sympy/sympy', 'some/where'].map((repo) => ({
      ...classic,
      instance_id: `${repo.replace('/', '__')}-1`,
      repo,
      test_patch,
      patch: test_patch,
      FAIL_TO_PASS: ['test_x (a.test_x.T)'],
      PASS_TO_PASS: "['x', \"y's\"]",
    }));
    const source = await write('rows.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
    const report = await run(source, { namespace: 'swebench' });
    expect(report.written.map(({ image }) => image)).toEqual([
      'swebench/sweb.eval.x86_64.django_1776_django-1:latest',
      'swebench/sweb.eval.x86_64.sympy_1776_sympy-1:latest',
    ]);
    expect(report.refused).toEqual([
      {
        id: 'some__where-1',
        reason: 'the row has no eval_script, and how some/where is tested is not known',
      },
    ]);
    const django = await readTask(path.join(out, 'django__django-1'));
    const script = await readFile(path.join(django.folder, 'tests/eval.sh'), 'utf8');
    expect(script).toContain(
      './tests/runtests.py --verbosity 2 --settings=test_sqlite --parallel 1 a.test_x\n',
    );
    expect(await readFile(path.join(django.folder, 'tests/test.patch'), 'utf8')).toBe(test_patch);
    expect(await readFile(path.join(django.folder, 'solution/fix.patch'), 'utf8')).toBe(test_patch);
    expect(django.expected).toEqual({
      failToPass: ['test_x (a.test_x.T)'],
      passToPass: ['x', "y's"],
    });
    expect(django.verifier.protect).toEqual(['tests/a/test_x.py', 'tests/data.json']);
  });

  it('are read from JSON by id, from splits, and from a task repository', async () => {
    const { instance_id: _, ...rest } = ROW;
    const keyed = await write('keyed.json', { 'a__b-1': rest, 'a__b-2': rest });
    const report = await run(keyed, { only: ['a__b-2'] });
    expect(report.written.map(({ name }) => name)).toEqual(['a__b-2']);

    const line = (id: string) => JSON.stringify({ ...rest, instance_id: id });
    await write('splits/data/test-00000-of-00002.jsonl', line('t__a-1'));
    await write('splits/data/test-00001-of-00002.jsonl', line('t__a-2'));
    await write('splits/data/dev.jsonl', line('t__dev-1'));
    const test = await run(path.join(folder, 'splits'), { limit: 5 });
    expect(test.written.map(({ name }) => name)).toEqual(['t__a-1', 't__a-2']);
    const dev = await run(path.join(folder, 'splits'), { split: 'dev' });
    expect(dev.written.map(({ name }) => name)).toEqual(['t__dev-1']);
    await expect(run(path.join(folder, 'splits'), { split: 'train' })).rejects.toThrow(
      'no split "train" (found: data/dev.jsonl, data/test-00000-of-00002.jsonl',
    );

    await write('repo/sweb.yaml', 'datasets: [a]\nsplits: [test]\n');
    const place = 'repo/tasks/r__r-1';
    await write(
      `${place}/task.yaml`,
      'instance_id: r__r-1\nrepo: r/r\nversion: "1.0"\nbase_commit: "01"\nsplit: test\nimage: r:1\nlog_parser: parse_log_pytest\neval_type: fail_only\n',
    );
    await write(`${place}/tests.json`, { FAIL_TO_PASS: ['a'], PASS_TO_PASS: [] });
    await write(`${place}/gold.patch`, '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n');
    await write(`${place}/test.patch`, String(rest['test_patch']));
    await write(`${place}/eval.sh`, String(rest['eval_script']));
    await write(`${place}/problem_statement.md`, 'Broken.');
    const repo = await run(path.join(folder, 'repo'));
    expect(repo.written.map(({ name }) => name)).toEqual(['r__r-1']);
    const task = await readTask(path.join(out, 'r__r-1'));
    expect(task.verifier.reader).toMatchObject({ failOnly: true });
    expect(await readFile(path.join(task.folder, 'solution/fix.patch'), 'utf8')).toContain(
      '+b\r\n',
    );
  });

  it('are read from parquet, lists and CRLF included', async () => {
    const report = await run(path.join(FIXTURES, 'swe-bench/rows.parquet'));
    const names = ['example__calc-parquet-1', 'example__calc-parquet-2'];
    expect(report.written.map(({ name }) => name)).toEqual(names);
    const task = await readTask(path.join(out, 'example__calc-parquet-1'));
    expect(task.expected?.failToPass).toEqual([
      'tests/test_calc.py::test_from_left_to_right[one-step]',
      'tests/test_calc.py::test_from_left_to_right[two-steps]',
    ]);
    expect(await readFile(path.join(task.folder, 'solution/fix.patch'), 'utf8')).toBe(
      String(ROW['patch']).replaceAll('\n', '\r\n'),
    );
  });

  it('that cannot be tasks are refused one by one, with the reason', async () => {
    const bad = {
      'no list': { ...ROW, FAIL_TO_PASS: "['a' 'b']" },
      'nothing to fix': { ...ROW, FAIL_TO_PASS: '[]' },
      'hostile id': { ...ROW, instance_id: '../../etc' },
      'hostile image': { ...ROW, image: 'a b; rm' },
      assets: { ...ROW, image_assets: '{"test_patch": [{"path": "x.png"}]}' },
      'no statement': { ...ROW, problem_statement: ' ' },
    };
    const good = { ...ROW, instance_id: 'good' };
    const report = await run(await write('rows.json', [...Object.values(bad), good, good]));
    expect(report.written.map(({ name }) => name)).toEqual(['good']);
    expect(report.refused.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('as numpy prints them'),
      expect.stringContaining('FAIL_TO_PASS is empty'),
      expect.stringContaining('instance_id is "../../etc"'),
      expect.stringContaining('is no name of an image'),
      expect.stringContaining('needs images'.replace('needs', 'need')),
      expect.stringContaining('no problem_statement'),
      expect.stringContaining('is there already'),
    ]);
    await expect(run(await write('x.json', '[1]'))).rejects.toThrow('row 1 is no object');
    await expect(run(await write('x.jsonl', '{'))).rejects.toThrow('line 1 is no JSON');
    await expect(run(await write('x.parquet', 'PAR1'))).rejects.toThrow('it is no parquet');
    await expect(run(await write('x.csv', 'a,b'))).rejects.toThrow('no data set that can be read');
  });

  it('that are no objects, and lines that are no JSON, are listed and stop nothing', async () => {
    const lines = ['[1]', JSON.stringify({ ...ROW, instance_id: 'kept' }), '{', 'null'];
    const report = await run(await write('mixed.jsonl', lines.join('\n')));
    expect(report.written.map(({ name }) => name)).toEqual(['kept']);
    expect(report.refused).toEqual([
      { id: 'mixed.jsonl', reason: 'row 1 is no object' },
      { id: 'mixed.jsonl', reason: expect.stringContaining('line 3 is no JSON') },
      { id: 'mixed.jsonl', reason: 'row 4 is no object' },
    ]);
  });

  it('have images by the rules of SWE-bench', () => {
    expect(sweBenchImage('Django__django-11099')).toBe(
      'sweb.eval.x86_64.django__django-11099:latest',
    );
    expect(sweBenchImage('a__b-1', 'swebench')).toBe('swebench/sweb.eval.x86_64.a_1776_b-1:latest');
  });
});

describe('SWE-bench Pro rows', () => {
  const pro = {
    instance_id: 'instance_Owner__Repo-abc123-vnan',
    repo: 'Owner/Repo',
    base_commit: '0123456789',
    patch: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
    test_patch: '--- a/t[1].js\n+++ b/t[1].js\n@@ -1 +1 @@\n-a\n+b\n',
    problem_statement: 'It is broken.\n',
    requirements: '- It works.\n',
    interface: 'None.',
    repo_language: 'js',
    fail_to_pass: '[\'t | it "works"\', "it\'s"]',
    pass_to_pass: '[]',
    before_repo_set_cmd:
      'git reset --hard 01\ngit clean -fd\ngit checkout 01\ngit checkout fedcba9876 -- t[1].js\n',
    selected_test_files_to_run: `['t[1].js', "it's $(x)"]`,
  };

  it('become tasks with scripts from the folder named, and never evaluate their lists', async () => {
    const source = await write('pro.json', [pro]);
    await expect(run(source, { format: 'swe-bench-pro' })).rejects.toThrow('are not in the rows');
    const scripts = path.join(folder, 'run_scripts');
    await write(`run_scripts/${pro.instance_id}/run_script.sh`, 'echo "$1"');
    await write(`run_scripts/${pro.instance_id}/parser.py`, 'print()');
    const report = await run(source, { format: 'swe-bench-pro', runScripts: scripts });
    expect(report.written).toEqual([
      {
        name: pro.instance_id,
        image: 'jefzda/sweap-images:owner.repo-Owner__Repo-abc123',
        notes: [],
      },
    ]);
    const task = await readTask(path.join(out, pro.instance_id));
    expect(task).toMatchObject({
      instruction:
        'It is broken.\n\nRequirements:\n- It works.\n\nNew interfaces introduced:\nNone.\n',
      workdir: '/app',
      expected: { failToPass: ['t | it "works"', "it's"], passToPass: [] },
      verifier: { reader: { kind: 'swe-bench-pro' }, protect: [String.raw`t\[1\].js`] },
    });
    const script = await readFile(path.join(task.folder, 'tests/test.sh'), 'utf8');
    expect(script).toContain(`run_script.sh" 't[1].js,it'\\''s $(x)' >`);
    expect(script).toContain(
      'if git cat-file -e fedcba9876^{commit} 2>/dev/null; then\n  git checkout fedcba9876 -- t[1].js\nelse\n  git apply',
    );
    execFileSync('sh', ['-n', path.join(task.folder, 'tests/test.sh')]);
  });

  it('have tags of 128 characters at most', () => {
    expect(proTag('instance_A__B-1-vnan', 'A/B')).toBe('a.b-A__B-1');
    expect(proTag(`instance_A__B-${'1'.repeat(200)}`, 'A/B')).toHaveLength(128);
    expect(() => proTag('x', 'nothing')).toThrow('not OWNER/NAME');
  });
});

describe('PatchEval rows', () => {
  it('become tasks that say which variant they are and what is hidden from agents', async () => {
    const rows = [
      {
        cve_id: 'CVE-2021-1',
        image_name: 'img:1',
        work_dir: '/workspace/x',
        problem_statement: 'Fix.',
      },
      { cve_id: 'CVE-2021-2', image_url: 'img:2', workdir: '/workspace/y', description: 'Fix it.' },
      { cve_id: 'CVE-2021-3', image_name: 'img:3', work_dir: '/w $(x)', problem_statement: 'Fix.' },
    ];
    const source = await write('agent_nolocation.json', rows);
    const report = await run(source, { format: 'patcheval' });
    expect(report.refused.map(({ id }) => id)).toEqual(['CVE-2021-3']);
    const task = await readTask(path.join(out, 'CVE-2021-1'));
    expect(task).toMatchObject({
      image: { reference: 'img:1' },
      workdir: '/workspace/x',
      expected: null,
      verifier: { reader: { kind: 'patcheval' }, timeoutMs: 2_400_000 },
      metadata: { vivarium: { variant: 'nolocation' } },
    });
    expect(hiddenPaths(task)).toContain('/workspace/llm.patch');
    execFileSync('sh', ['-n', path.join(task.folder, 'tests/test.sh')]);
  });
});

describe('Terminal-Bench tasks', () => {
  const source = path.join(FIXTURES, 'terminal-bench');

  it('are copied as they are, and told when their verifier wants a network', async () => {
    const report = await run(source, { format: 'terminal-bench' });
    expect(report.written).toEqual([
      {
        name: 'count-words',
        image: 'vivarium-tb-demo:latest',
        notes: [
          'tests/test.sh line 4: apt',
          'tests/test.sh line 5: apt',
          'tests/test.sh line 6: curl',
          'tests/test.sh line 10: uvx',
        ],
      },
    ]);
    const task = await readTask(path.join(out, 'count-words'));
    expect(task.hash).toBe((await readTask(path.join(source, 'count-words'))).hash);
    expect(task).toMatchObject({
      instruction: expect.stringMatching(/^Count how often/) as string,
      workdir: '/app',
      image: {
        reference: 'vivarium-tb-demo:latest',
        dockerfile: path.join(task.folder, 'environment/Dockerfile'),
      },
      limits: { cpus: 1, memoryBytes: 1024 ** 3, diskBytes: 2 * 1024 ** 3 },
      verifier: { on: 'workspace', reader: { kind: 'reward' }, timeoutMs: 120_000 },
      wantsNetwork: false,
      expected: null,
    });
  });

  it('can get a verifier without a network, which is labelled as modified', async () => {
    const report = await run(source, { format: 'terminal-bench', offlineVerifier: true });
    expect(report.written[0]?.notes).toEqual(['modified verifier']);
    const task = await readTask(path.join(out, 'count-words'));
    expect(task.metadata).toMatchObject({
      vivarium: {
        label: 'modified verifier',
        packages: ['pytest-json-ctrf==0.3.5', 'pytest==8.4.1'],
      },
    });
    const original = await readFile(path.join(source, 'count-words/tests/test_outputs.py'));
    expect(await readFile(path.join(task.folder, 'tests/test_outputs.py'))).toEqual(original);
  });

  it('that are none are refused with the reason', async () => {
    const copy = path.join(folder, 'set');
    for (const name of ['good', 'steps', 'compose', 'windows', 'bad toml', 'no-tests']) {
      await cp(path.join(source, 'count-words'), path.join(copy, name), { recursive: true });
    }
    const append = async (name: string, text: string) => {
      const file = path.join(copy, name, 'task.toml');
      await chmod(file, 0o644);
      await writeFile(file, (await readFile(file, 'utf8')) + text);
    };
    await append('steps', '[[steps]]\nname = "one"\n');
    await append('windows', 'os = "windows"\n');
    await writeFile(path.join(copy, 'compose/environment/docker-compose.yaml'), 'services: {}');
    await rm(path.join(copy, 'no-tests/tests/test.sh'));
    const report = await run(copy, { format: 'terminal-bench' });
    expect(report.written.map(({ name }) => name)).toEqual(['good']);
    expect(Object.fromEntries(report.refused.map(({ id, reason }) => [id, reason]))).toEqual({
      'bad toml': 'the name of the folder is "bad toml"',
      compose: 'task compose: it runs in several containers (environment/docker-compose.yaml)',
      'no-tests': 'task no-tests: tests/test.sh is missing',
      steps: 'task steps: it has several steps, which is not supported',
      windows: 'task windows: it is for windows',
    });
  });
});
