import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createR2egymScaffold } from '../../src-main/agent/index.ts';
import { openLeaf, type Leaf } from '../leaf/open-leaf.ts';

let place: Leaf;
beforeAll(async () => {
  place = await openLeaf([], { scaffold: createR2egymScaffold() });
});
afterAll(() => place.close());

const bare = createR2egymScaffold({ extends: 'r2egym', help: false });
const call = async (name: string, args: Record<string, unknown>) =>
  (await place.call(name, args)).text;
const editor = (args: Record<string, unknown>) => call('file_editor', args);
const bash = (cmd: string) => call('execute_bash', { cmd });
const EDITOR = 'Execution output of [file_editor]:\n';

describe('execute_bash', () => {
  it('runs in /testbed, each time afresh; streams in the form of the original', async () => {
    await bash('cd /tmp; export X=1');
    expect(await bash('pwd; echo "[$X]"; echo oops >&2')).toBe(
      'Exit code: 0\nExecution output of [execute_bash]:\n[STDOUT]\n\n/testbed\n[] \n\n[STDERR]\n\noops\n',
    );
  });

  it('L10 takes command for cmd; a failure is named where the code stands', async () => {
    const text = await call('execute_bash', { command: 'echo a; exit 3' });
    expect(text).toBe(
      'Exit code: Error: Exit code 3\nExecution output of [execute_bash]:\nError executing command:\n\n[STDOUT]\n\na \n\n[STDERR]\n\n\n',
    );
  });

  it('refuses what it was trained to refuse, and an empty command', async () => {
    expect(await bash('git log')).toBe(
      "Exit code: Error: Exit code 1\nExecution output of [execute_bash]:\nBash command 'git' is not allowed. Please use a different command or tool.\n",
    );
    expect(await bash(' ')).toContain('The command is empty');
  });

  it('keeps 40 lines of each end', async () => {
    const text = await bash('seq 100');
    const lines = text.split('\n');
    const cut = lines.indexOf('<Observation truncated in middle for saving context>');
    expect(lines[cut - 1]).toBe('-'.repeat(50));
    // Two lines above, then [STDOUT] and an empty line: 38 numbers; the last are below it.
    expect([lines[cut - 2], lines[cut + 1], lines.at(-1)]).toEqual(['38', '-'.repeat(50), '']);
    expect(lines).toContain('100 ');
    expect(lines.slice(2, cut - 1).length).toBe(40);
    expect(lines.slice(cut + 2).length).toBe(40);
  });

  it('takes colours out; what took too long is told as in training, with what it printed', async () => {
    expect(await bash("printf '\\033[31mred\\033[0m\\r\\n'")).toContain('[STDOUT]\n\nred \n');
    const quick = createR2egymScaffold({ extends: 'r2egym', commandSeconds: 1 });
    const late = await place.call('execute_bash', { cmd: 'echo begun; sleep 9' }, quick);
    expect(late.text).toBe(
      'Exit code: -1\nExecution output of [execute_bash]:\nThe command took too long to execute (>1s)\n[The last of what it printed until then:\nbegun]',
    );
    expect([late.isError, late.run?.timedOut]).toEqual([true, true]);
  });
});

describe('file_editor: view', () => {
  it('numbers lines of Python files; a range and its faults', async () => {
    await place.put('v.py', 'a = 1\nb = 2\n\tc\nd');
    const title = `${EDITOR}Here's the result of running \`cat -n\` on the file: /testbed/v.py:\n`;
    expect(await editor({ command: 'view', path: '/testbed/v.py' })).toBe(
      `${title}     1 a = 1\n     2 b = 2\n     3 \tc\n     4 d\n`,
    );
    expect(await editor({ command: 'view', path: '/testbed/v.py', view_range: '[2, -1]' })).toBe(
      `${title}     2 b = 2\n     3 \tc\n     4 d\n`,
    );
    expect(await editor({ command: 'view', path: 'v.py', view_range: '[2, 9]' })).toBe(
      `${EDITOR}\nERROR: Invalid view_range [2, 9]: end must be >= start and <= 4, or -1 to view until end.\n`,
    );
  });

  it('other files are refused as in training, with a way out', async () => {
    await place.put('notes.md', 'x');
    const refusal = `${EDITOR}\nERROR: ERROR: Viewing non-Python files is disallowed for saving context. File 'notes.md' is not a .py file.\n`;
    expect(await editor({ command: 'view', path: 'notes.md' })).toBe(
      `${refusal}[Look at it with execute_bash, e.g. cat or sed -n.]`,
    );
    const args = { command: 'view', path: 'notes.md' };
    expect((await place.call('file_editor', args, bare)).text).toBe(refusal);
  });

  it('long Python files are shown without the inside of functions', async () => {
    const body = (from: number, lines: number) =>
      Array.from({ length: lines }, (_, n) => `    x${from + n} = 1`).join('\n');
    const short = 'def short():\n    a = 1\n    b = 2\n    return a';
    const doc = 'class C:\n    """One\n\n    two\n    three\n    four\n    """\n    y = 1';
    await place.put('long.py', `def f():\n${body(0, 100)}\n\n\n${short}\n\n\n${doc}\n`);
    const text = await editor({ command: 'view', path: 'long.py' });
    expect(text).toBe(
      [
        `${EDITOR}Here is a condensed view for file: long.py; [Note: Useful for understanding file structure in a concise manner. Please use specific view_range without concise cmd if you want to explore further into the relevant parts.]`,
        '     1 def f():',
        '     2 ... eliding lines 2-101 ...',
        '   102 ',
        '   103 ',
        '   104 def short():',
        '   105     a = 1',
        '   106     b = 2',
        '   107     return a',
        '   108 ',
        '   109 ',
        '   110 class C:',
        '   111     """One',
        '   112 ... eliding lines 112-115 ...',
        '   116     """',
        '   117     y = 1\n',
      ].join('\n'),
    );
    expect(await editor({ command: 'view', path: 'long.py', view_range: '[104, 105]' })).toContain(
      'long.py:\n   104 def short():\n   105     a = 1\n',
    );
    await place.put('bad.py', 'def f(:\n');
    expect(await editor({ command: 'view', path: 'bad.py', concise: 'True' })).toMatch(
      /^Execution output of \[file_editor\]:\nERROR: Syntax error for file bad\.py: .*line 1\)\n$/,
    );
  });

  it('folders two levels deep, without hidden names', async () => {
    await place.sh(
      'mkdir -p tree/sub/deep/er .hid tree/.hid && touch tree/a.py tree/b.txt tree/sub/c.py tree/sub/deep/d.py',
    );
    const text = await editor({ command: 'view', path: '/testbed/tree' });
    const [, title, ...names] = text.trimEnd().split('\n');
    expect(title).toBe(
      "Here's the files and directories up to 2 levels deep in /testbed/tree, excluding hidden:",
    );
    expect(names.toSorted()).toEqual([
      '/testbed/tree',
      '/testbed/tree/a.py',
      '/testbed/tree/sub',
      '/testbed/tree/sub/c.py',
      '/testbed/tree/sub/deep',
    ]);
  });

  it('L10 what is not there, and paths that begin with a dash', async () => {
    expect(await editor({ command: 'view', path: 'nope.py' })).toBe(
      `${EDITOR}ERROR: The path 'nope.py' does not exist.\n`,
    );
    await place.sh('mkdir -- -delete && touch -- -delete/x.py');
    expect(await editor({ command: 'view', path: '-delete' })).toContain('./-delete/x.py');
    expect(await place.sh('ls -- -delete')).toBe('x.py\n');
  });
});

describe('file_editor: changes', () => {
  const MORE =
    'Review the changes and make sure they are as expected. Edit the file again if necessary.\n';

  it('str_replace shows four lines around, and undo_edit takes it back', async () => {
    const before = Array.from({ length: 12 }, (_, n) => `line${n + 1} = 1`).join('\n');
    await place.put('r.py', `${before}\n`);
    const text = await editor({
      command: 'str_replace',
      path: '/testbed/r.py',
      old_str: '\nline6 = 1\n',
      new_str: '\nline6 = 2\nmore = 3\n',
    });
    const shown = [
      'line2 = 1',
      'line3 = 1',
      'line4 = 1',
      'line5 = 1',
      'line6 = 2',
      'more = 3',
      'line7 = 1',
      'line8 = 1',
      'line9 = 1',
      'line10 = 1',
    ];
    expect(text).toBe(
      `${EDITOR}The file /testbed/r.py has been edited. Here's the result of running \`cat -n\` on a snippet of /testbed/r.py:\n${shown.map((line, n) => `${String(n + 2).padStart(6)}\t${line}`).join('\n')}\n${MORE}`,
    );
    expect((await place.bytes('r.py')).toString()).toBe(
      `${before.replace('line6 = 1', 'line6 = 2\nmore = 3')}\n`,
    );
    const undone = await editor({ command: 'undo_edit', path: 'r.py' });
    expect(undone).toContain('Last edit to r.py undone successfully. Here');
    expect((await place.bytes('r.py')).toString()).toBe(`${before}\n`);
    expect(await editor({ command: 'undo_edit', path: 'r.py' })).toBe(
      `${EDITOR}ERROR: No previous edits found for r.py to undo.\n`,
    );
  });

  it('T06 T07 CRLF, tabs and encodings stay; the first line keeps its indent', async () => {
    await place.put('crlf.py', Buffer.from('def f():\r\n\tx = 1\r\n\ty = "caf\xe9"\r\n', 'latin1'));
    await editor({
      command: 'str_replace',
      path: 'crlf.py',
      old_str: '\n\tx = 1\n',
      new_str: '\n\tx = 2\n\tz = 3\n',
    });
    await editor({
      command: 'insert',
      path: 'crlf.py',
      insert_line: '1',
      new_str: '\n\tfirst()\n',
    });
    expect((await place.bytes('crlf.py')).toString('latin1')).toBe(
      'def f():\r\n\tfirst()\r\n\tx = 2\r\n\tz = 3\r\n\ty = "caf\xe9"\r\n',
    );
  });

  it('T02 T13 refusals name what is wrong; the file stays', async () => {
    await place.put('t.py', 'a = 1\nb = 1\na = 1\n');
    const replace = (old_str: string) =>
      editor({ command: 'str_replace', path: 't.py', old_str, new_str: 'x' });
    expect(await replace('a = 1')).toBe(
      `${EDITOR}ERROR: Multiple occurrences of 'a = 1' found in t.py. Please ensure it is unique before using str_replace.\n[The matches start in lines 1, 3.]`,
    );
    expect(await replace('c = 1')).toMatch(
      /^Execution output of \[file_editor\]:\nERROR: No occurrences of 'c = 1' found in t\.py for replacement\.\n\[The nearest lines are/,
    );
    expect(await editor({ command: 'str_replace', path: 't.py', new_str: 'x' })).toBe(
      `${EDITOR}ERROR: Missing required parameter 'old_str' for 'str_replace'.\n`,
    );
    expect(await editor({ command: 'move', path: 't.py' })).toContain(
      "Unrecognized command 'move'",
    );
    expect((await place.bytes('t.py')).toString()).toBe('a = 1\nb = 1\na = 1\n');
  });

  it('create keeps the last line break, overwrites nothing and makes no folders', async () => {
    const text = await editor({
      command: 'create',
      path: '/testbed/new.py',
      file_text: '\nimport a\n\na.b()\n',
    });
    expect(text).toBe(
      `${EDITOR}File created at /testbed/new.py. Here's the result of running \`cat -n\` on /testbed/new.py:\n     1\timport a\n     2\t\n     3\ta.b()\nReview the file and make sure that it is as expected. Edit the file if necessary.\n`,
    );
    expect((await place.bytes('new.py')).toString()).toBe('import a\n\na.b()\n');
    expect(await editor({ command: 'create', path: '/testbed/new.py', file_text: 'x' })).toBe(
      `${EDITOR}ERROR: File already exists at: /testbed/new.py. Cannot overwrite with 'create'.\n`,
    );
    expect(await editor({ command: 'create', path: '/testbed/no/x.py', file_text: 'x' })).toBe(
      `${EDITOR}ERROR: Error creating file at /testbed/no/x.py: [Errno 2] No such file or directory: '/testbed/no/x.py'\n[The folder /testbed/no is not there: make it with execute_bash first.]`,
    );
  });

  it('insert at both ends; a place that is none', async () => {
    await place.put('i.py', 'b\n');
    const insert = (insert_line: string, new_str: string) =>
      editor({ command: 'insert', path: 'i.py', insert_line, new_str });
    expect(await insert('0', 'a')).toBe(
      `${EDITOR}The file i.py has been edited. Here's the result of running \`cat -n\` on a snippet of the edited file:\n     1\ta\n     2\tb\n     3\t\nReview the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). Edit the file again if necessary.\n`,
    );
    await insert('2', 'c');
    expect((await place.bytes('i.py')).toString()).toBe('a\nb\nc\n');
    expect(await insert('9', 'x')).toContain('ERROR: Invalid insert_line 9. Must be in [0, 4].\n');
  });
});

describe.each([
  ['GNU grep', process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest'],
  ['BusyBox', 'vivarium-busybox:latest'],
])('search with %s', (_, image) => {
  let other: Leaf;
  beforeAll(async () => {
    other = await openLeaf([], { scaffold: createR2egymScaffold(), image });
    await other.sh(
      'mkdir -p pkg .hid && printf "needle\\nneedle needle\\n" > pkg/a.py && echo needle > "pkg/b c.py" && echo needle > pkg/n.txt && echo needle > .hid/h.py && echo other > pkg/z.py',
    );
  });
  afterAll(() => other.close());
  const search = async (args: Record<string, unknown>) => (await other.call('search', args)).text;
  const HEAD = 'Execution output of [search]:\n';

  it('counts lines of Python files below a folder', async () => {
    expect(await search({ search_term: 'needle' })).toBe(
      `${HEAD}Found 3 matches for "needle" in /testbed:\n./pkg/a.py (2 matches)\n./pkg/b c.py (1 matches)\nEnd of matches for "needle" in /testbed\n`,
    );
    expect(await search({ search_term: 'moon', path: './pkg' })).toBe(
      `${HEAD}No matches found for "moon" in /testbed/pkg\n`,
    );
  });

  it('a term is text, not a pattern and not an option', async () => {
    expect(await search({ search_term: '-e' })).toContain('No matches found for "-e"');
    expect(await search({ search_term: 'n.*e' })).toContain('No matches found');
    expect(await search({ search_term: '$(touch pwned)', path: 'pkg' })).toContain('No matches');
    expect(await other.sh('ls pkg')).not.toContain('pwned');
  });

  it('shows the lines of one file', async () => {
    expect(await search({ search_term: 'needle', path: 'pkg/n.txt' })).toBe(
      `${HEAD}Matches for "needle" in /testbed/pkg/n.txt:\n1:needle\n`,
    );
    expect(await search({ search_term: 'x', path: 'nowhere' })).toBe(
      `${HEAD}Directory '/testbed/nowhere' not found or not a directory.\n`,
    );
  });

  it('over 100 files are too many', async () => {
    await other.sh('mkdir -p many && for n in $(seq 101); do echo needle > many/$n.py; done');
    expect(await search({ search_term: 'needle', path: 'many' })).toBe(
      `${HEAD}More than 101 files matched for "needle" in /testbed/many. Please narrow your search.\n`,
    );
  });
});
