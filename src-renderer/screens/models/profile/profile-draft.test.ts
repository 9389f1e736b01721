import { describe, expect, it } from 'vitest';
import {
  flagOverrides,
  flagRows,
  sourceOf,
  sourceOverride,
  valueOf,
  withChange,
  yamlFaults,
} from './profile-draft.ts';

describe('a profile while it is edited', () => {
  const profile = { contextTokens: 65_536, sampling: { topP: 0.95 }, threads: null };

  it('keeps what differs only', () => {
    const changed = withChange(profile, {}, 'contextTokens', 32_768);
    expect(changed).toEqual({ contextTokens: 32_768 });
    expect(valueOf(profile, changed, 'contextTokens')).toBe(32_768);
    expect(withChange(profile, changed, 'contextTokens', 65_536)).toEqual({});
    expect(withChange(profile, {}, 'threads', null)).toEqual({});
  });

  it('leads into maps by dots, and takes what is not there for nothing', () => {
    expect(valueOf(profile, {}, 'sampling.topP')).toBe(0.95);
    expect(valueOf(profile, {}, 'sampling.topK')).toBe(undefined);
    expect(withChange(profile, {}, 'sampling.topK', null)).toEqual({});
    expect(withChange(profile, {}, 'sampling.topP', null)).toEqual({ 'sampling.topP': null });
  });

  it('says where the engine is as YAML does', () => {
    expect(sourceOf({ kind: 'auto' })).toEqual({ kind: 'auto', value: '' });
    expect(sourceOf({ kind: 'venv', folder: '/opt/vllm' })).toEqual({
      kind: 'venv',
      value: '/opt/vllm',
    });
    expect(sourceOf({ container: 'engine:1' })).toEqual({ kind: 'container', value: 'engine:1' });
    expect(sourceOverride({ kind: 'auto', value: 'x' })).toBe('auto');
    expect(sourceOverride({ kind: 'program', value: 'llama-server' })).toEqual({
      program: 'llama-server',
    });
  });
});

describe('flags', () => {
  const flags = { '--enforce-eager': true, '--swap-space': 4, '--fit': 'on' };

  it('say nothing when they stay', () => {
    expect(flagOverrides(flags, flagRows(flags))).toEqual({});
  });

  it('remove by null, and keep numbers, switches and text apart', () => {
    const rows = [
      { id: 0, name: '--enforce-eager', value: 'false' },
      { id: 1, name: ' --swap-space ', value: '8' },
      { id: 2, name: '--new', value: '' },
      { id: 3, name: '', value: 'nothing' },
      { id: 4, name: '--dtype', value: 'half' },
    ];
    expect(flagOverrides(flags, rows)).toEqual({
      ...{ '--fit': null, '--enforce-eager': false, '--swap-space': 8 },
      ...{ '--new': true, '--dtype': 'half' },
    });
  });
});

describe('faults of a profile', () => {
  it('stand at their lines', () => {
    expect(
      yamlFaults(
        `the profile can't be used: engine (line 3): found "vlm", expected vllm, sglang; sampling.topk (line 7): there is no such member (there are temperature, topP); and 2 more`,
      ),
    ).toEqual([
      { line: 3, text: 'engine: found "vlm", expected vllm, sglang' },
      { line: 7, text: 'sampling.topk: there is no such member (there are temperature, topP)' },
      { line: null, text: 'and 2 more' },
    ]);
  });

  it('say where a text stops being YAML, and leave other sentences whole', () => {
    expect(yamlFaults('the profile is not YAML: line 4: Map keys must be unique')).toEqual([
      { line: 4, text: 'Map keys must be unique' },
    ]);
    expect(yamlFaults('the disk is full')).toEqual([{ line: null, text: 'the disk is full' }]);
  });
});
