import { expect, test } from 'vitest';
import { importProfile } from './files.ts';
import { parseTokens } from './told.ts';

test.each([
  [131072, 131072],
  ['131072', 131072],
  ['128k', 131072],
  ['128K', 131072],
  ['1m', 1048576],
  ['1.5k', 1536],
  ['64 k', 65536],
  [0, null],
  [-1, null],
  [1.5, null],
  ['128kb', null],
  ['4GiB', null],
  ['', null],
  [null, null],
  [true, null],
])('tokens %j are %j', (given, tokens) => {
  expect(parseTokens(given)).toBe(tokens);
});

const SOURCE =
  'auto, {venv: ABSOLUTE FOLDER}, {program: ABSOLUTE FILE or NAME} or {container: IMAGE}';

test.each([
  [
    'contextTokens: lots',
    'contextTokens (line 1): found "lots", expected tokens such as 131072 or 128k',
  ],
  [
    '\n\nengine: vlm',
    'engine (line 3): found "vlm", expected vllm, sglang, llamacpp or llama-server',
  ],
  ['memoryShare: 90', 'memoryShare (line 1): found 90, expected a share from 0.05 to 1, e.g. 0.9'],
  ['prefixCaching: yes', 'prefixCaching (line 1): found "yes", expected true or false'],
  [
    'sampling:\n  topK: 1.5',
    'sampling.topK (line 2): found 1.5, expected a whole number from 0 (0 = all)',
  ],
  [
    'sampling: hot',
    'sampling (line 1): found "hot", expected a map such as {temperature: 0.6, topP: 0.95}',
  ],
  [
    'sampling:\n  top_k: 1',
    'sampling.top_k (line 2): there is no such member (did you mean topK?)',
  ],
  ['source: vllm', `source (line 1): found "vllm", expected ${SOURCE}`],
  ['source: {venv: opt/vllm}', `source (line 1): found {"venv":"opt/vllm"}, expected ${SOURCE}`],
  [
    'source: {container: -v/:/x}',
    `source (line 1): found {"container":"-v/:/x"}, expected ${SOURCE}`,
  ],
  [
    'source: {program: "--help"}',
    `source (line 1): found {"program":"--help"}, expected ${SOURCE}`,
  ],
  [
    'chatTemplate: a.jinja',
    'chatTemplate (line 1): found "a.jinja", expected the absolute path of a Jinja file, or null',
  ],
  [
    'tensorParallel: 0',
    'tensorParallel (line 1): found 0, expected auto (the number of GPUs) or a whole number from 1 to 64',
  ],
  ...['0', '0.05', '-1', '1e9'].map((minutes) => [
    `idleMinutes: ${minutes}`,
    `idleMinutes (line 1): found ${String(Number(minutes))}, expected minutes from 1 to 100,000, or null for never`,
  ]),
  [
    'inputTokens: x',
    'inputTokens (line 1): found "x", expected tokens such as 46000 or 45k, or null for no limit',
  ],
  ['steps: null', 'steps (line 1): found null, expected a whole number from 1'],
  [
    'flags:\n  --dtype: [a]',
    'flags.--dtype (line 2): found ["a"], expected text, a number, true (the flag alone) or false (the flag is left out)',
  ],
  [
    'context-tokens: 1',
    'context-tokens (line 1): there is no such member (did you mean contextTokens?)',
  ],
  ['step: 1', 'step (line 1): there is no such member (did you mean steps?)'],
  ['- a', 'the profile: found ["a"], expected a map of members, e.g. contextTokens: 32k'],
  ['a: [', 'is not YAML: line 1: Flow sequence'],
  ['steps: 1\nsteps: 2', 'is not YAML: line 2: Map keys must be unique'],
  ['steps: !!js/eval 1', 'is not YAML: line 1: Unresolved tag'],
])('%j is told: %s', (text, message) => {
  expect(() => importProfile(text, 'x')).toThrow(message);
});

test('a fault names the code, what to do, and how many more there are', () => {
  const text = 'steps: a\nthreads: b\ndevice: c\nengine: d\n';
  expect(() => importProfile(text, 'x')).toThrow(
    expect.objectContaining({
      code: 'profile_invalid',
      message: expect.stringMatching(/^the profile can't be used: .*; .*; .*; and 1 more$/),
      next: 'Correct it; every member is described in docs/profiles.md.',
    }),
  );
});

test('an unknown member without a near name lists those there are, where they are few', () => {
  expect(() => importProfile('zzzzzzzzz: 1', 'x')).toThrow(
    /zzzzzzzzz \(line 1\): there is no such member$/,
  );
  expect(() => importProfile('sampling: {zzzzzzzzz: 1}', 'x')).toThrow(
    'sampling.zzzzzzzzz (line 1): there is no such member (there are temperature, topP, topK, ',
  );
});

test.each(['&a [*a]', 'configOverrides: &a {inner: *a}', 'sampling: {templateArguments: &a [*a]}'])(
  'an alias that leads back to itself is refused: %s',
  (yaml) => {
    expect(() => importProfile(yaml, 'x')).toThrow('Converting circular structure');
    expect(() => importProfile(yaml, 'x')).toThrow(
      expect.objectContaining({ code: 'profile_invalid' }),
    );
  },
);

test('aliases that multiply without end are refused', () => {
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]', 'b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]']
    .concat('c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]', 'd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]')
    .join('\n');
  expect(() => importProfile(bomb, 'x')).toThrow('Excessive alias count');
});

test('an empty profile is plain', () => {
  expect(importProfile('', 'x')).toMatchObject({
    ...{ name: 'x', preset: 'plain', engine: 'vllm', contextTokens: 65_536, callParser: null },
  });
});

test.each([
  ['auto', { kind: 'auto' }],
  ['{venv: /opt/vllm}', { kind: 'venv', folder: '/opt/vllm' }],
  ['{program: llama-server}', { kind: 'program', file: 'llama-server' }],
  ['{program: /opt/llama-server}', { kind: 'program', file: '/opt/llama-server' }],
  [
    '{container: "vllm/vllm-openai:v0.33.0"}',
    { kind: 'container', image: 'vllm/vllm-openai:v0.33.0' },
  ],
])('source %s', (text, source) => {
  expect(importProfile(`source: ${text}`, 'x').source).toEqual(source);
});
