import { describe, expect, it } from 'vitest';
import { callSubject, callView } from './call-view.ts';
import type { StepCall } from './timeline.ts';

function call(name: string, args: unknown, result: string | null, isError = false): StepCall {
  return {
    ...{ id: 'c', name, result, failed: isError },
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
    observation: { callId: 'c', tool: name, isError, durationMs: 1, notes: [] },
  };
}

describe('the form of a call', () => {
  it('Read: numbered lines as code, remarks beside them', () => {
    const result = 'a.py\n9. def f():\n10.\n11.     return "1. x"\n[truncated 5 chars]\n[Go on.]';
    expect(callView(call('Read', { file_path: 'a.py' }, result))).toEqual({
      ...{ form: 'read', path: 'a.py', firstLine: 9, text: 'def f():\n\n    return "1. x"' },
      notes: ['[truncated 5 chars]', '[Go on.]'],
    });
  });

  it('Read of an empty file: only the remark', () => {
    expect(callView(call('Read', { file_path: 'a' }, 'a\n[The file is empty.]'))).toEqual({
      ...{ form: 'read', path: 'a', firstLine: 1, text: '' },
      notes: ['[The file is empty.]'],
    });
  });

  it('Edit and Write: what was asked for', () => {
    const edit = { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true };
    expect(callView(call('Edit', edit, 'Edited a (2 replacements).'))).toEqual({
      ...{ form: 'edit', path: 'a', before: 'x', after: 'y', all: true },
      said: 'Edited a (2 replacements).',
    });
    expect(callView(call('Write', { file_path: 'a', content: 'x\n' }, 'Wrote a.'))).toEqual({
      ...{ form: 'write', path: 'a', text: 'x\n', said: 'Wrote a.' },
    });
  });

  it('Glob: paths, and what is no path', () => {
    const result = 'a.py\nb/[c].py\n... 3 more files\n[Name a folder in path.]';
    expect(callView(call('Glob', { pattern: '**', path: 'b' }, result))).toEqual({
      ...{ form: 'glob', pattern: '**', folder: 'b', paths: ['a.py', 'b/[c].py'] },
      notes: ['... 3 more files', '[Name a folder in path.]'],
    });
    expect(callView(call('Glob', { pattern: 'x' }, 'No files matched.'))).toMatchObject({
      ...{ paths: [], notes: ['No files matched.'] },
    });
  });

  it.each([
    ['Exit code: 0\nSTDOUT:\na\n\nSTDERR:\nb\n', 'a\n', 'b\n'],
    ['Exit code: 0\nSTDOUT:\n\nSTDERR:\n', '', ''],
    ['Exit code: 0\nSTDOUT:\nx\nSTDERR:\ny\nSTDERR:\nz', 'x\nSTDERR:\ny', 'z'],
    ['Broken off: the attempt was stopped.', 'Broken off: the attempt was stopped.', ''],
  ])('Bash: streams of %j', (result, stdout, stderr) => {
    expect(callView(call('Bash', { command: 'c', description: 'd' }, result, true))).toEqual({
      ...{ form: 'bash', command: 'c', what: 'd', stdout, stderr },
    });
  });

  it('a failed call: what the tool said, and the arguments', () => {
    const args = { file_path: 'no.py', old_string: 'a', new_string: 'b' };
    expect(callView(call('Edit', args, 'FileNotFoundError: no.py', true))).toEqual({
      ...{ form: 'failed', subject: 'no.py', said: 'FileNotFoundError: no.py' },
      arguments: JSON.stringify(args, null, 2),
    });
  });

  it.each([
    ['Search', '{"query":"x"}', '{\n  "query": "x"\n}'],
    ['Read', '{"file_path": 5}', '{\n  "file_path": 5\n}'],
    ['Read', '["a"]', '[\n  "a"\n]'],
    ['Bash', '{"command": ', '{"command": '],
  ])('%s %s: arguments and result as they are', (name, args, shown) => {
    expect(callView(call(name, args, 'r'))).toEqual({
      ...{ form: 'other', arguments: shown, result: 'r' },
    });
  });

  it('a subject is the first line of the first text', () => {
    expect(callSubject(call('Bash', { timeout: 5, command: '\n ls\npwd' }, ''))).toBe('ls');
    expect(callSubject(call('Bash', 'no JSON', ''))).toBe('');
  });
});
