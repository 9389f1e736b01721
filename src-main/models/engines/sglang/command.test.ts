import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LaunchInput } from '../../servers/types.ts';
import {
  installation,
  lines,
  MODELS,
  presetInput,
  temporaryFolder,
  writeProgram,
} from '../shared/testing.ts';
import { createSglangEngine } from './index.ts';
import { launcher } from './launcher.ts';

const engine = createSglangEngine();
const python = '/opt/sglang/bin/python';
const START = launcher({ relay: false });

const FLAGS = [
  ...['--model-path', '--host', '--port', '--served-model-name', '--context-length', '--device'],
  ...['--max-running-requests', '--mem-fraction-static', '--disable-radix-cache', '--api-key'],
  ...['--tool-call-parser', '--reasoning-parser', '--chat-template', '--enable-metrics'],
  ...['--json-model-override-args', '--log-level-http', '--tp-size'],
];
const NEW = ['--tensor-parallel-size', '--enable-cache-report', '--sleep-on-idle'];
const command = [python, '-c', START];
const sglang5 = installation('sglang', '0.5.23', [...FLAGS, ...NEW], { command });
const sglang4 = installation('sglang', '0.4.6', FLAGS, { command });

function argvOf(input: LaunchInput): string[] {
  const made = engine.command(input);
  if (made.kind !== 'program') throw new Error('not a program');
  return made.argv;
}

test('frognano-4b on one GPU, SGLang 0.5', () => {
  const argv = argvOf(presetInput('frognano-4b', sglang5, [0]));
  expect(argv.slice(0, 3)).toEqual(command);
  expect(lines(argv.slice(3))).toEqual([
    '--model-path /models/frognano-4b',
    '--host 127.0.0.1',
    '--port 43210',
    '--served-model-name frognano-4b-n0nce',
    '--context-length 131072',
    '--max-running-requests 4',
    '--mem-fraction-static 0.9',
    '--tool-call-parser qwen3_coder',
    '--reasoning-parser qwen3',
    '--enable-metrics',
    '--enable-cache-report',
    '--sleep-on-idle',
    '--log-level-http warning',
  ]);
});

test('frogmini-14b on two GPUs, SGLang 0.5 and 0.4', () => {
  const after = (given: typeof sglang5): string[] =>
    lines(argvOf(presetInput('frogmini-14b', given, [0, 1])).slice(3)).slice(4);
  expect(after(sglang5)).toEqual([
    '--context-length 65536',
    '--max-running-requests 4',
    '--mem-fraction-static 0.9',
    '--tensor-parallel-size 2',
    '--json-model-override-args {"max_position_embeddings":65536}',
    '--enable-metrics',
    '--enable-cache-report',
    '--sleep-on-idle',
    '--log-level-http warning',
  ]);
  expect(after(sglang4)).toEqual([
    '--context-length 65536',
    '--max-running-requests 4',
    '--mem-fraction-static 0.9',
    '--tp-size 2',
    '--json-model-override-args {"max_position_embeddings":65536}',
    '--enable-metrics',
    '--log-level-http warning',
  ]);
});

test('S08 the environment: ending at once, cheap health, key, and nothing else of the user', () => {
  const input = presetInput('frogmini-14b', sglang5, [1], { environment: { CC: 'gcc-12' } });
  const users = { HTTP_PROXY: 'http://p', PYTHONPATH: '/odd', SGLANG_PORT: '1', HF_TOKEN: 'x' };
  const made = engine.command({ ...input, env: { ...input.env, ...users } });
  expect(made.env).toMatchObject({
    SGL_FORCE_SHUTDOWN: '1',
    SGLANG_ENABLE_HEALTH_ENDPOINT_GENERATION: 'false',
    HF_HUB_OFFLINE: '1',
    CUDA_VISIBLE_DEVICES: '1',
    VIVARIUM_SERVER_KEY: 'the-key',
    CC: 'gcc-12',
  });
  expect(Object.keys(made.env)).not.toEqual(expect.arrayContaining(Object.keys(users)));
  for (const name of Object.keys(users)) expect(made.env).not.toHaveProperty(name);
  expect(JSON.stringify(argvOf(input))).not.toContain('the-key');
});

test('parsers go by the names of the version', () => {
  const choices = new Map([['--tool-call-parser', ['qwen25', 'qwen3_coder']]]);
  const input = presetInput('frogmini-14b', { ...sglang5, choices }, [0], { callParser: 'hermes' });
  expect(lines(argvOf(input))).toContain('--tool-call-parser qwen25');
  expect(engine.check(input.profile, input.installation, MODELS['frogmini-14b'])).toEqual([]);
  const none = { ...sglang5, choices: new Map([['--tool-call-parser', ['mistral']]]) };
  expect(engine.check(input.profile, none, MODELS['frogmini-14b'])).toEqual([
    'sglang 0.5.23 in /opt/sglang does not take --tool-call-parser hermes; it offers: mistral',
  ]);
});

/** A package of the name `sglang` that tells what it was started with. */
const TELL = `import json, os, sys
print(json.dumps({
  "argv": sys.argv, "name": __name__, "cmdline": open("/proc/self/cmdline").read().split("\\0"),
  "left": [name for name in os.environ if name.startswith("VIVARIUM_SERVER")]}))
`;

test('the launcher hands the key on inside the process: no command line shows it', () => {
  const folder = temporaryFolder();
  writeProgram(join(folder, 'sglang', '__init__.py'), '');
  writeProgram(join(folder, 'sglang', 'launch_server.py'), TELL);
  const text = execFileSync('python3', ['-c', START, '--port', '1'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], VIVARIUM_SERVER_KEY: 'the-key' },
    encoding: 'utf8',
  });
  const told = JSON.parse(text) as Record<'argv' | 'cmdline' | 'left', string[]> & { name: string };
  expect(told.name).toBe('__main__');
  // Python puts the file's own path first.
  expect(told.argv.slice(1)).toEqual(['--port', '1', '--api-key', 'the-key']);
  expect(told.cmdline.join(' ')).not.toContain('the-key');
  expect(told.left).toEqual([]);
});
