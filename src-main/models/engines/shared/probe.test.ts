import { appendFileSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EngineSource, ModelProfile } from '../../servers/types.ts';
import { launchInput } from '../../testing/launch.ts';
import { createLlamaServerEngine } from '../llama-server/index.ts';
import { createSglangEngine } from '../sglang/index.ts';
import { createVllmEngine } from '../vllm/index.ts';
import { compareVersions, versionIn } from './probe.ts';
import { temporaryFolder, writeProgram } from './testing.ts';

const SYSTEM = '/usr/bin:/bin';

function profile(source: EngineSource, more: Partial<ModelProfile> = {}): ModelProfile {
  return { ...launchInput().profile, source, ...more };
}

const HELP = `usage: vllm serve [model_tag] [options]
  --host HOST           Host name. See also --uds and --prose-only.
  --tool-call-parser {hermes,
                        qwen3_coder} or name registered in --tool-parser-plugin
                        Select the parser.
  --enable-auto-tool-choice, --no-enable-auto-tool-choice
                        Needs --tool-call-parser.
  --tensor-parallel-size TENSOR_PARALLEL_SIZE, -tp TENSOR_PARALLEL_SIZE
`;

/** Stands in for vLLM: notes each call and its environment, prints what a real one would. */
function vllm(folder: string, calls: string, version = '0.33.0'): string {
  return writeProgram(
    join(folder, 'bin', 'vllm'),
    `#!/bin/sh
echo "$*" >> ${calls}
env > ${calls}.env
case "$*" in
  --version) echo "INFO loading"; echo ${version};;
  "serve --help=all") cat <<'END'
${HELP}END
;;
  *) exit 2;;
esac
`,
  );
}

test('vLLM in a virtual environment: version, flags and choices; asked once for each state of it', async () => {
  const folder = temporaryFolder();
  const calls = join(folder, 'calls');
  const file = vllm(folder, calls);
  const probeFolder = join(folder, 'probes');
  const engine = createVllmEngine({ probeFolder });
  const asked = profile({ kind: 'venv', folder });
  const env = { PATH: SYSTEM };
  const found = await engine.probe(asked, { env });
  expect(found).toEqual({
    engine: 'vllm',
    command: [file, 'serve'],
    version: '0.33.0',
    flags: new Set([
      '--host',
      '--tool-call-parser',
      '--enable-auto-tool-choice',
      '--no-enable-auto-tool-choice',
      '--tensor-parallel-size',
    ]),
    choices: new Map([['--tool-call-parser', ['hermes', 'qwen3_coder']]]),
    shown: `vllm 0.33.0 in ${folder}`,
  });
  const count = (): number => readFileSync(calls, 'utf8').trim().split('\n').length;
  expect(count()).toBe(2);
  expect(await engine.probe(asked, { env })).toEqual(found);
  // Another process finds the answers in the folder.
  expect(await createVllmEngine({ probeFolder }).probe(asked, { env })).toEqual(found);
  expect(count()).toBe(2);
  vllm(folder, calls, '0.34.0');
  utimesSync(file, new Date(), new Date(Date.now() + 5_000));
  expect((await engine.probe(asked, { env })).version).toBe('0.34.0');
  expect(count()).toBe(4);
});

test('S08 a program is asked with the clean environment of the server', async () => {
  const folder = temporaryFolder();
  const calls = join(folder, 'calls');
  vllm(folder, calls);
  const users = {
    HTTP_PROXY: 'http://p',
    PYTHONPATH: '/odd',
    LD_LIBRARY_PATH: '/odd',
    HF_TOKEN: 'x',
  };
  await createVllmEngine().probe(
    profile({ kind: 'venv', folder }, { environment: { LD_LIBRARY_PATH: '/wanted' } }),
    { env: { PATH: SYSTEM, ...users } },
  );
  const seen = readFileSync(`${calls}.env`, 'utf8');
  expect(seen).toMatch(/^LD_LIBRARY_PATH=\/wanted$/m);
  expect(seen).toMatch(/^HF_HUB_OFFLINE=1$/m);
  expect(seen).not.toMatch(/^(HTTP_PROXY|PYTHONPATH|HF_TOKEN)=|\/odd/m);
});

test('auto: the active virtual environment, then PATH; a name, a path', async () => {
  const [active, other] = [temporaryFolder(), temporaryFolder()];
  const calls = join(other, 'calls');
  const second = vllm(other, calls);
  const engine = createVllmEngine();
  const path = `relative:${join(other, 'bin')}:${SYSTEM}`;
  const where = async (source: EngineSource, env: Record<string, string>): Promise<string> =>
    (await engine.probe(profile(source), { env })).command[0] ?? '';
  expect(await where({ kind: 'auto' }, { PATH: path, VIRTUAL_ENV: active })).toBe(second);
  const first = vllm(active, calls);
  expect(await where({ kind: 'auto' }, { PATH: path, VIRTUAL_ENV: active })).toBe(first);
  expect(await where({ kind: 'auto' }, { PATH: path })).toBe(second);
  expect(await where({ kind: 'program', file: 'vllm' }, { PATH: path })).toBe(second);
  expect(await where({ kind: 'program', file: first }, { PATH: SYSTEM })).toBe(first);
});

test('S03 a missing engine: what was looked for, where, and what to do', async () => {
  const folder = temporaryFolder();
  const env = { PATH: `${folder}:${folder}/b` };
  await expect(createVllmEngine().probe(profile({ kind: 'auto' }), { env })).rejects.toMatchObject({
    code: 'engine_missing',
    message: `vLLM is not on PATH or in an active virtual environment: looked for ${folder}/vllm, ${folder}/b/vllm`,
    next: expect.stringContaining('source: {venv: FOLDER}') as string,
  });
  await expect(
    createLlamaServerEngine().probe(profile({ kind: 'program', file: '/no/llama-server' }), {
      env,
    }),
  ).rejects.toMatchObject({
    code: 'engine_missing',
    message: 'llama-server is not there: looked for /no/llama-server',
    next: expect.stringContaining('set engine to llamacpp') as string,
  });
  await expect(
    createSglangEngine().probe(profile({ kind: 'venv', folder }), { env }),
  ).rejects.toMatchObject({ code: 'engine_missing' });
  // A folder, or a file that is not a program, is none.
  writeProgram(join(folder, 'vllm', 'file'), '');
  await expect(createVllmEngine().probe(profile({ kind: 'auto' }), { env })).rejects.toMatchObject({
    code: 'engine_missing',
  });
});

test('S03 a Python without SGLang is no broken SGLang', async () => {
  const folder = temporaryFolder();
  const python = writeProgram(
    join(folder, 'python3'),
    '#!/bin/sh\necho "importlib.metadata.PackageNotFoundError: No package metadata was found for sglang" >&2\nexit 1\n',
  );
  const asked = profile({ kind: 'auto' });
  const env = { PATH: `${folder}:${SYSTEM}` };
  await expect(createSglangEngine().probe(asked, { env })).rejects.toMatchObject({
    code: 'engine_missing',
    message: `SGLang is not installed for ${python}`,
    next: expect.stringContaining('source: {venv: FOLDER}') as string,
  });
});

test('S03 an installation with missing parts does not pass for one, and is asked again', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'bin', 'vllm');
  const broken =
    '#!/bin/sh\n[ "$1" = --version ] && echo 0.33.0 && exit\necho "ModuleNotFoundError: No module named \'torch\'" >&2\nexit 1\n';
  writeProgram(file, broken);
  const engine = createVllmEngine();
  const asked = profile({ kind: 'venv', folder });
  await expect(engine.probe(asked, { env: { PATH: SYSTEM } })).rejects.toMatchObject({
    code: 'engine_missing',
    message: `vLLM in ${folder} does not run: ModuleNotFoundError: No module named 'torch'`,
  });
  writeProgram(file, '#!/bin/sh\necho hello\n');
  await expect(engine.probe(asked, { env: { PATH: SYSTEM } })).rejects.toMatchObject({
    message: `vLLM in ${folder} does not run: it does not say its version`,
  });
  // One whose help fails for another reason is used, with all flags taken for granted.
  writeProgram(file, '#!/bin/sh\n[ "$1" = --version ] && echo 0.33.0 && exit\nexit 7\n');
  expect((await engine.probe(asked, { env: { PATH: SYSTEM } })).flags).toBe(null);
});

test('the wish to stop ends a program that hangs', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'bin', 'vllm');
  writeProgram(file, `#!/bin/sh\necho $$ > ${folder}/pid\nexec sleep 600\n`);
  const stop = new AbortController();
  const asked = createVllmEngine().probe(profile({ kind: 'venv', folder }), {
    env: { PATH: SYSTEM },
    signal: stop.signal,
  });
  setTimeout(() => stop.abort(new Error('enough')), 200);
  await expect(asked).rejects.toThrow('enough');
});

test('vLLM and SGLang: the version comes from the list of packages of their Python', async () => {
  const folder = temporaryFolder();
  const calls = join(folder, 'calls');
  const python = writeProgram(
    join(folder, 'bin', 'python3.12'),
    `#!/bin/sh
echo "$*" >> ${calls}
case "$*" in
  *importlib.metadata*vllm*) echo 0.32.0+cpu;;
  *importlib.metadata*sglang*) echo 0.5.4.post1;;
  *"-m sglang.launch_server --help") echo "  --tool-call-parser {qwen25,hermes}  Parser.";;
  *help*) echo "  --host HOST";;
esac
`,
  );
  const script = writeProgram(join(folder, 'bin', 'vllm'), `#!${python}\nprint()\n`);
  const found = await createVllmEngine().probe(profile({ kind: 'venv', folder }), {
    env: { PATH: SYSTEM },
  });
  expect([found.version, found.command]).toEqual(['0.32.0+cpu', [script, 'serve']]);
  expect(readFileSync(calls, 'utf8')).not.toContain('--version');
  // Paths too long for a first line are written so by installers.
  writeProgram(
    join(folder, 'bin', 'sglang'),
    `#!/bin/sh\n'''exec' "${python}" "$0" "$@"\n' '''\nprint()\n`,
  );
  const other = await createSglangEngine().probe(profile({ kind: 'venv', folder }), {
    env: { PATH: SYSTEM },
  });
  expect([other.version, other.command.slice(0, 2)]).toEqual(['0.5.4.post1', [python, '-c']]);
  expect(other.choices).toEqual(new Map([['--tool-call-parser', ['qwen25', 'hermes']]]));
});

test('llama-server: its help pads between short and long names', async () => {
  const folder = temporaryFolder();
  const file = writeProgram(
    join(folder, 'llama-server'),
    `#!/bin/sh
[ "$1" = --version ] && echo "version: 6123 (ad5975de)" >&2 && exit
cat <<'END'
----- common params -----
-m,    --model FNAME                    model path, see --model-url-prose
-kvu,  --kv-unified, -no-kvu, --no-kv-unified
                                        use single buffer
--rope-scaling {none,linear,yarn}       RoPE scaling
END
`,
  );
  const found = await createLlamaServerEngine().probe(profile({ kind: 'program', file }), {
    env: { PATH: SYSTEM },
  });
  expect(found).toEqual({
    engine: 'llama-server',
    command: [file],
    version: '6123',
    flags: new Set(['--model', '--kv-unified', '--no-kv-unified', '--rope-scaling']),
    choices: new Map([['--rope-scaling', ['none', 'linear', 'yarn']]]),
    shown: `llama-server 6123 at ${file}`,
  });
});

test('answers kept on disk that are damaged are asked again', async () => {
  const folder = temporaryFolder();
  const calls = join(folder, 'calls');
  vllm(folder, calls);
  const probeFolder = join(folder, 'probes');
  const asked = profile({ kind: 'venv', folder });
  const ask = async (): Promise<string> =>
    (await createVllmEngine({ probeFolder }).probe(asked, { env: { PATH: SYSTEM } })).version;
  await ask();
  const { readdirSync } = await import('node:fs');
  const [name = ''] = readdirSync(probeFolder);
  appendFileSync(join(probeFolder, name), '}');
  expect(await ask()).toBe('0.33.0');
  expect(readFileSync(calls, 'utf8').trim().split('\n').length).toBe(4);
});

test('versions', () => {
  expect(versionIn('INFO x\n0.32.0+cpu\n')).toBe('0.32.0+cpu');
  expect(versionIn('vllm 0.33.1rc2.dev7')).toBe('0.33.1rc2.dev7');
  expect(versionIn('nothing')).toBe(null);
  expect(compareVersions('0.9.1', '0.20.0')).toBeLessThan(0);
  expect(compareVersions('0.20.0+cpu', '0.20.0')).toBe(0);
  expect(compareVersions('1.0', '0.20.9')).toBeGreaterThan(0);
});
