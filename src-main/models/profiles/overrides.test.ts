import { expect, test } from 'vitest';
import { importProfile } from './files.ts';
import { applyOverrides, parseOverrides } from './overrides.ts';

const nano = () => importProfile('preset: frognano-4b', 'nano');

test('--set takes YAML scalars and flow collections, and leads into maps', () => {
  const set = parseOverrides([
    'contextTokens=32k',
    'sampling.temperature=0.2',
    'sampling.templateArguments.enable_thinking=false',
    'source={venv: /opt/vllm}',
    'configOverrides.text_config.max_position_embeddings=65536',
    'tensorParallel=2',
    'idleMinutes=null',
    'environment.CUDA_VISIBLE_DEVICES="1"',
  ]);
  const before = nano();
  expect(applyOverrides(before, set)).toEqual({
    ...nano(),
    contextTokens: 32_768,
    sampling: {
      ...nano().sampling,
      temperature: 0.2,
      templateArguments: { enable_thinking: false },
    },
    source: { kind: 'venv', folder: '/opt/vllm' },
    configOverrides: { text_config: { max_position_embeddings: 65_536 } },
    tensorParallel: 2,
    idleMinutes: null,
    environment: { CUDA_VISIBLE_DEVICES: '1' },
  });
  expect(before).toEqual(nano());
});

test('--engine-flag takes a flag alone or with its value, verbatim', () => {
  const given = [
    '--enforce-eager',
    '--swap-space=4',
    '--fit=on',
    '--cache-ram 512',
    '--x={"a": 1}',
  ];
  expect(parseOverrides([], given)).toEqual({
    'flags.--enforce-eager': true,
    'flags.--swap-space': 4,
    'flags.--fit': 'on',
    'flags.--cache-ram': 512,
    'flags.--x': '{"a": 1}',
  });
  const profile = applyOverrides(nano(), parseOverrides([], given));
  expect(profile.flags).toEqual({
    '--enforce-eager': true,
    '--swap-space': 4,
    '--fit': 'on',
    '--cache-ram': 512,
    '--x': '{"a": 1}',
  });
  const dotted = applyOverrides(nano(), parseOverrides([], ['--compilation-config.level=3']));
  expect(dotted.flags).toEqual({ '--compilation-config.level': 3 });
});

test('null removes: a key is gone, a member is its preset’s again', () => {
  const changed = applyOverrides(
    nano(),
    parseOverrides(['contextTokens=1k', 'sampling.topK=null'], ['--enforce-eager', '--seed=1']),
  );
  expect(changed.sampling).not.toHaveProperty('topK');
  const back = applyOverrides(changed, {
    contextTokens: null,
    sampling: null,
    reasoningParser: null,
    ...parseOverrides([], ['--enforce-eager=null']),
  });
  expect(back).toEqual({ ...nano(), reasoningParser: null, flags: { '--seed': 1 } });
});

test('maps of flags and variables are changed key by key, others are replaced', () => {
  const profile = applyOverrides(nano(), { flags: { '--seed': 1 }, environment: { A: 'x' } });
  const more = applyOverrides(profile, {
    flags: { '--dtype': 2, '--seed': null },
    environment: { B: 1 },
    sampling: { temperature: 1 },
  });
  expect(more).toMatchObject({ flags: { '--dtype': 2 }, environment: { A: 'x', B: '1' } });
  expect(more.flags).not.toHaveProperty('--seed');
  expect(more.sampling).toEqual({ temperature: 1 });
});

test('what cannot be taken is told with its name', () => {
  const apply = (...set: string[]) => applyOverrides(nano(), parseOverrides(set));
  expect(() => apply('contextToken=1')).toThrow(
    'contextToken: there is no such member (did you mean contextTokens?)',
  );
  expect(() => apply('steps=many')).toThrow(
    'the profile of nano with what was set can\'t be used: steps: found "many", expected a whole number from 1',
  );
  expect(() => apply('sampling.temp=1')).toThrow('sampling.temp: there is no such member');
  expect(() => apply('steps')).toThrow('--set steps is not NAME=VALUE');
  expect(() => apply('sampling={')).toThrow('--set sampling={: ');
  expect(() => parseOverrides([], ['enforce-eager'])).toThrow(
    '--engine-flag enforce-eager is not a flag',
  );
  const flags = (flag: string) => () => applyOverrides(nano(), parseOverrides([], [flag]));
  expect(flags('--host=0.0.0.0')).toThrow('flags.--host: --host is refused');
  expect(flags('--serv=x')).toThrow('flags.--serv: --serv can be read as --served-model-name');
  expect(flags('-fa')).toThrow('flags.-fa: -fa is a short form');
});

test('names cannot reach what all objects share', () => {
  expect(() => applyOverrides(nano(), { 'sampling.__proto__.polluted': 1 })).toThrow(
    'sampling.__proto__: there is no such member',
  );
  expect({}).not.toHaveProperty('polluted');
});
