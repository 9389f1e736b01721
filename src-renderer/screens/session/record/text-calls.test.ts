import { describe, expect, it } from 'vitest';
import { callSubject, callView } from './call-view.ts';
import { recordOf, startedBody, stepBody } from './testing.ts';
import { type StepCall, timelineOf } from './timeline.ts';

const OBSERVED = { isError: false, durationMs: 5, notes: [] };

function stepOf(content: string, told: string, observation: object | null) {
  const observations =
    observation === null
      ? []
      : [{ callId: 'c', tool: 'execute_bash', ...OBSERVED, ...observation }];
  const body = stepBody(1, {
    messages: [
      { role: 'assistant', content },
      { role: 'user', content: told },
    ],
    observations,
  });
  const item = timelineOf(
    recordOf([
      ['s.1', startedBody(1)],
      ['s.1', body],
    ]),
    's.1',
  )[1];
  if (item?.kind !== 'step') throw new Error('no step');
  return item;
}

describe('calls that stand in the text of a reply', () => {
  const CALL = '<function=execute_bash>\n  <parameter=cmd>ls</parameter>\n</function>';
  const SEEN =
    'Exit code: 0\nExecution output of [execute_bash]:\n[STDOUT]\n\na.py\n \n\n[STDERR]\n\n\n';

  it('are calls with their results, and the reply is said without them', () => {
    const given = { arguments: '{"cmd":"ls"}' };
    const item = stepOf(`I look.\n\n${CALL}`, `${SEEN}\nSteps Remaining: 39`, given);
    expect(item).toMatchObject({ text: 'I look.', nudges: [], failed: false });
    expect(item.calls).toMatchObject([
      { id: 'c', name: 'execute_bash', arguments: '{"cmd":"ls"}', failed: false },
    ]);
    expect(callView(item.calls[0] ?? call('', {}, ''))).toEqual({
      ...{ form: 'bash', command: 'ls', what: null, stdout: 'a.py\n', stderr: '\n' },
    });
  });

  it('a reply without one keeps what it was told, without the count of steps', () => {
    const told = 'No function call was found.\nSteps Remaining: 12';
    const item = stepOf('Hm.\n\n<function=>\n</function>', told, null);
    expect(item).toMatchObject({ text: 'Hm.', calls: [], failed: true });
    expect(item.nudges).toEqual(['No function call was found.']);
  });

  it('the end of an attempt is no call, and a text that only quotes one is left alone', () => {
    const end = 'All done.\n\n<function=finish>\n  <parameter=result>x</parameter>\n</function>';
    expect(stepOf(end, '', null).text).toBe('All done.');
    const quoted = 'Write <function=a></function>';
    expect(stepOf(quoted, 'Go on.', null)).toMatchObject({ text: quoted, nudges: ['Go on.'] });
  });
});

describe('forms of r2egym', () => {
  const head = 'Execution output of [file_editor]:\n';

  it('view: numbered lines as code; a condensed file keeps its numbers in the text', () => {
    const title = "Here's the result of running `cat -n` on the file: /w/a.py:\n";
    const whole = `${head}${title}     9 def f():\n    10     return 1\n`;
    const view = { command: 'view', path: '/w/a.py' };
    expect(callView(call('file_editor', view, whole))).toEqual({
      ...{ form: 'read', path: '/w/a.py', firstLine: 9, text: 'def f():\n    return 1' },
      notes: [],
    });
    const condensed = `${head}Here is a condensed view for file: /w/a.py; [Note]\n     1 a\n    20 b\n[Ours.]\n`;
    expect(callView(call('file_editor', view, condensed))).toEqual({
      ...{ form: 'read', path: '/w/a.py', firstLine: null, text: '     1 a\n    20 b' },
      notes: ['[Ours.]'],
    });
  });

  it('view of a folder: a list', () => {
    const result = `${head}Here's the files and directories up to 2 levels deep in /w, excluding hidden:\n/w\n/w/a.py\n`;
    expect(callView(call('file_editor', { command: 'view', path: '/w' }, result))).toEqual({
      ...{ form: 'glob', pattern: '/w', folder: null, paths: ['/w', '/w/a.py'], notes: [] },
    });
  });

  it('create, str_replace and insert: what was asked for', () => {
    const create = { command: 'create', path: 'b.py', file_text: '\nx = 1\n' };
    const made = `${head}File created at b.py. Here's the result\n     1\tx = 1\n`;
    expect(callView(call('file_editor', create, made))).toEqual({
      ...{ form: 'write', path: 'b.py', text: 'x = 1' },
      said: "File created at b.py. Here's the result",
    });
    const edit = { command: 'str_replace', path: 'b.py', old_str: 'x = 1', new_str: '\nx = 2\n' };
    const edited = `${head}The file b.py has been edited. Here's\n     1\tx = 2\n[Two lines were alike.]`;
    expect(callView(call('file_editor', edit, edited))).toEqual({
      ...{ form: 'edit', path: 'b.py', before: 'x = 1', after: 'x = 2', all: false },
      said: "The file b.py has been edited. Here's\n[Two lines were alike.]",
    });
    const insert = { command: 'insert', path: 'b.py', insert_line: '1', new_str: 'y = 3' };
    expect(callView(call('file_editor', insert, edited))).toMatchObject({
      ...{ form: 'edit', before: '', after: 'y = 3' },
    });
    expect(callSubject(call('file_editor', edit, ''))).toBe('str_replace b.py');
  });

  it('search: a list, in folders and in a file', () => {
    const found =
      'Execution output of [search]:\nFound 3 matches for "x" in /w:\n./a.py (2 matches)\n./b.py (1 matches)\nEnd of matches for "x" in /w\n';
    expect(callView(call('search', { search_term: 'x' }, found))).toEqual({
      ...{ form: 'glob', pattern: 'x', folder: null },
      paths: ['./a.py (2 matches)', './b.py (1 matches)'],
      notes: ['Found 3 matches for "x" in /w:', 'End of matches for "x" in /w'],
    });
  });

  it('a failed command: both streams; a call that does not fit: as it is', () => {
    const result =
      'Exit code: 2\nExecution output of [execute_bash]:\nError executing command:\n\n[STDOUT]\n\no \n\n[STDERR]\n\ne\n';
    expect(callView(call('execute_bash', { command: 'false' }, result))).toMatchObject({
      ...{ form: 'bash', command: 'false', stdout: 'o', stderr: 'e\n' },
    });
    expect(callView(call('file_editor', { command: 'undo_edit', path: 'a' }, 'r'))).toMatchObject({
      form: 'other',
    });
  });
});

function call(name: string, args: object, result: string): StepCall {
  return {
    ...{ id: 'c', name, result, failed: false, arguments: JSON.stringify(args) },
    observation: { callId: 'c', tool: name, ...OBSERVED },
  };
}
