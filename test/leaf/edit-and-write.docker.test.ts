import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Leaf } from './open-leaf.ts';
import { openLeaf } from './open-leaf.ts';

let leaf: Leaf;
beforeAll(async () => {
  leaf = await openLeaf();
});
afterAll(() => leaf.close());

const edit = (file: string, old: string, wanted: string, more: Record<string, unknown> = {}) =>
  leaf.call('Edit', { file_path: file, old_string: old, new_string: wanted, ...more });

describe('Edit in a real workspace', () => {
  it('T01 dollar patterns stay literal', async () => {
    await leaf.put('t01.js', 'log("done");\n');
    const { text, mutated, isError } = await edit('t01.js', 'log("done");', 'log("$& ok $$ $1");');
    expect({ text, mutated, isError }).toEqual({
      text: 'Edited t01.js (1 replacement).',
      mutated: true,
      isError: false,
    });
    expect((await leaf.bytes('t01.js')).toString()).toBe('log("$& ok $$ $1");\n');
  });

  it('T02 another block with the same first and last line is not touched', async () => {
    const file = 'if (a) {\n  keep();\n}\n';
    await leaf.put('t02.js', file);
    const { text, mutated, isError } = await edit('t02.js', 'if (a) {\n  invented();\n}', 'x');
    expect({ mutated, isError }).toEqual({ mutated: false, isError: true });
    expect(text).toBe(
      'ValueError: old_string was not found\n' +
        '[The nearest lines are (the first difference is in line 2):\n1. if (a) {\n2.   keep();\n3. }]',
    );
    expect((await leaf.bytes('t02.js')).toString()).toBe(file);
  });

  it('T03 backslash-n for a line break, and a literal one', async () => {
    await leaf.put('t03.txt', 'a\nb\n');
    expect((await edit('t03.txt', 'a\\nb', 'a\\nc')).text).toBe(
      'Edited t03.txt (1 replacement).\n' +
        '[Matched with help: the backslash-n in old_string and new_string was read as a line break.]',
    );
    expect((await leaf.bytes('t03.txt')).toString()).toBe('a\nc\n');
    await leaf.put('t03.c', 'puts("a\\n");\n');
    expect((await edit('t03.c', '"a\\n"', '"b\\n"')).text).toBe('Edited t03.c (1 replacement).');
    expect((await leaf.bytes('t03.c')).toString()).toBe('puts("b\\n");\n');
  });

  it('T04 the byte e9 survives an edit elsewhere', async () => {
    await leaf.put('t04.js', Buffer.from('const x = 1;\n// caf\xe9\n', 'latin1'));
    expect((await edit('t04.js', 'const x = 1;', 'const x = 2;')).text).toBe(
      'Edited t04.js (1 replacement).',
    );
    expect((await leaf.bytes('t04.js')).toString('latin1')).toBe('const x = 2;\n// caf\xe9\n');
    const refused = await edit('t04.js', 'x = 2', 'x = "日"');
    expect(refused).toMatchObject({ isError: true, mutated: false });
    expect(refused.text).toContain("the file's encoding, Latin-1, cannot hold");
    expect(refused.text).toContain('iconv');
  });

  it('T05 no change is not reported as success', async () => {
    await leaf.put('t05.txt', 'a\r\nb\r\n');
    for (const [old, wanted] of [
      ['a', 'a'],
      ['a\nb', 'a\r\nb'],
    ] as const) {
      expect(await edit('t05.txt', old, wanted)).toMatchObject({
        text: 'ValueError: nothing changed in t05.txt: old_string and new_string are the same, line ends aside',
        isError: true,
        mutated: false,
      });
    }
    expect((await leaf.bytes('t05.txt')).toString()).toBe('a\r\nb\r\n');
  });

  it('T06 CRLF and mixed line ends', async () => {
    await leaf.put('t06.txt', 'a\r\nb\r\n');
    expect((await edit('t06.txt', 'a\nb', 'a\nnew\nb')).text).toBe(
      'Edited t06.txt (1 replacement).',
    );
    expect((await leaf.bytes('t06.txt')).toString()).toBe('a\r\nnew\r\nb\r\n');
    await leaf.put('t06m.txt', 'a\r\nb\nc\r\n');
    await edit('t06m.txt', 'a\nb\nc', 'a\nB\nc');
    expect((await leaf.bytes('t06m.txt')).toString()).toBe('a\r\nB\nc\r\n');
  });

  it('T07 tabs stay tabs', async () => {
    await leaf.put('Makefile', 'all:\n\tcc\ta.c\n\techo\n');
    await edit('Makefile', 'cc\ta.c', 'cc\t-g a.c');
    expect((await leaf.bytes('Makefile')).toString()).toBe('all:\n\tcc\t-g a.c\n\techo\n');
  });

  it('T08 a link stays a link; one that leads out is reported', async () => {
    await leaf.sh('mkdir -p t08 && echo one > t08/real.txt && ln -s real.txt t08/link.txt');
    expect((await edit('t08/link.txt', 'one', 'two')).text).toBe(
      'Edited t08/real.txt (1 replacement).',
    );
    expect((await leaf.call('Write', { file_path: 't08/link.txt', content: 'three\n' })).text).toBe(
      'Wrote t08/real.txt (6 bytes).',
    );
    expect(await leaf.sh('readlink t08/link.txt; cat t08/real.txt')).toBe('real.txt\nthree\n');
    await leaf.sh('echo one > /tmp/out.txt && ln -s /tmp/out.txt t08/out');
    const root = leaf.workspace.root;
    const note =
      '[t08/out is a link that leads out of the repository, to /tmp/out.txt; the patch will not have this change.]';
    expect((await edit('t08/out', 'one', 'two')).text).toBe(
      `Edited ${root}/t08/out (1 replacement).\n${note}`,
    );
    expect((await leaf.call('Write', { file_path: 't08/out', content: 'x' })).text).toBe(
      `Wrote ${root}/t08/out (1 bytes).\n${note}`,
    );
    expect(await leaf.sh('readlink t08/out; cat /tmp/out.txt')).toBe('/tmp/out.txt\nx');
  });

  it('T09 modes are kept', async () => {
    await leaf.sh('echo one > t09x && chmod 755 t09x && echo one > t09p && chmod 600 t09p');
    await edit('t09x', 'one', 'two');
    await edit('t09p', 'one', 'two');
    await leaf.call('Write', { file_path: 't09x', content: 'three\n' });
    expect(await leaf.sh('stat -c %a t09x t09p; cat t09x t09p')).toBe('755\n600\nthree\ntwo\n');
  });

  it('T10 trailing blanks are kept', async () => {
    await leaf.put('t10.md', 'one\n');
    await edit('t10.md', 'one', 'one  \ntwo  ');
    expect((await leaf.bytes('t10.md')).toString()).toBe('one  \ntwo  \n');
  });

  it('T12 numbers copied from Read', async () => {
    await leaf.put('t12.py', 'a = 1\nb = 2\n');
    const shown = (await leaf.call('Read', { file_path: 't12.py' })).text;
    expect((await edit('t12.py', shown.slice('t12.py\n'.length), '1. a = 1\n2. b = 3')).text).toBe(
      'Edited t12.py (1 replacement).\n' +
        '[Matched with help: the line numbers in front of the lines were taken off.]',
    );
    expect((await leaf.bytes('t12.py')).toString()).toBe('a = 1\nb = 3\n');
  });

  it('T13 three places', async () => {
    await leaf.put('t13.py', 'f()\nf()\nx\nf()\n');
    expect((await edit('t13.py', 'f()', 'g()')).text).toBe(
      'ValueError: old_string matched 3 times; set replace_all=true or use a more specific old_string\n' +
        '[The matches start in lines 1, 2, 4.]',
    );
    expect((await edit('t13.py', 'f()', 'g()', { replace_all: 'yes' })).text).toBe(
      'Edited t13.py (3 replacements).',
    );
    expect((await leaf.bytes('t13.py')).toString()).toBe('g()\ng()\nx\ng()\n');
  });

  it('T16 a missing argument changes nothing', async () => {
    await leaf.put('t16.txt', 'keep\n');
    const calls: [string, Record<string, unknown>, string][] = [
      ['Write', { file_path: 't16.txt' }, 'content is required'],
      ['Write', { file_path: 't16.txt', content: null }, 'content is required'],
      ['Write', { content: 'x' }, 'file_path is required'],
      ['Edit', { file_path: 't16.txt', old_string: 'keep' }, 'new_string is required'],
      ['Edit', { file_path: 't16.txt', new_string: 'x' }, 'old_string must be non-empty'],
      ['Edit', { old_string: 'keep', new_string: 'x' }, 'file_path is required'],
      ['Read', {}, 'file_path is required'],
      ['Glob', {}, 'pattern is required'],
      ['Bash', { command: '' }, 'command is required'],
    ];
    for (const [name, args, message] of calls) {
      expect(await leaf.call(name, args)).toMatchObject({
        text: `ValueError: ${message}`,
        isError: true,
        mutated: false,
      });
    }
    expect((await leaf.bytes('t16.txt')).toString()).toBe('keep\n');
  });

  it('faults come in Python words', async () => {
    const { root } = leaf.workspace;
    await leaf.sh(
      'mkdir -p dir && echo x > plain && mkfifo pipe && printf "\\0\\1\\2" > bin && echo x > locked && chmod 0 locked',
    );
    const cases: [string, string][] = [
      [
        'dir',
        `IsADirectoryError: [Errno 21] Is a directory: '${root}/dir'\n[dir is a folder; list it with Glob or Bash.]`,
      ],
      ['plain/x', `NotADirectoryError: [Errno 20] Not a directory: '${root}/plain/x'`],
      ['pipe', 'OSError: "pipe" cannot be read: it is a pipe, socket or device.'],
      ['locked', `PermissionError: [Errno 13] Permission denied: '${root}/locked'`],
      [
        'bin',
        'ValueError: bin is a binary file, not text; it was not changed\n[Change it with Bash, e.g. python3, if it must be changed.]',
      ],
    ];
    for (const [file, text] of cases) {
      expect(await edit(file, 'a', 'b')).toMatchObject({ text, isError: true, mutated: false });
    }
    expect((await leaf.call('Write', { file_path: 'dir', content: 'x' })).text).toBe(cases[0]?.[1]);
    expect((await leaf.call('Write', { file_path: 'plain/x', content: 'x' })).text).toBe(
      cases[1]?.[1],
    );
  });
});

describe('Write in a real workspace', () => {
  it('makes folders and counts characters', async () => {
    expect((await leaf.call('Write', { file_path: 'new/deep/é.txt', content: 'é😀\n' })).text).toBe(
      'Wrote new/deep/é.txt (3 bytes).',
    );
    expect((await leaf.bytes('new/deep/é.txt')).toString()).toBe('é😀\n');
  });

  it('T06 T04 keeps CRLF, byte order mark and encoding of what it replaces, and says so', async () => {
    await leaf.put('w.txt', '\ufeffa\r\nb\r\n');
    expect((await leaf.call('Write', { file_path: 'w.txt', content: 'c\nd\n' })).text).toBe(
      'Wrote w.txt (4 bytes).\n[The file had CRLF line ends and keeps them.]\n[The file had a byte order mark and keeps it.]',
    );
    expect((await leaf.bytes('w.txt')).toString()).toBe('\ufeffc\r\nd\r\n');
    await leaf.put('w1.py', Buffer.from('# coding: latin-1\nx = "\xe9"\n', 'latin1'));
    expect(
      (await leaf.call('Write', { file_path: 'w1.py', content: '# coding: latin-1\nx = "è"\n' }))
        .text,
    ).toBe('Wrote w1.py (26 bytes).\n[The file was Latin-1 and stays so.]');
    expect((await leaf.bytes('w1.py')).toString('latin1')).toBe('# coding: latin-1\nx = "\xe8"\n');
  });

  it('shell characters in names are characters', async () => {
    const name = 'a b/$(touch pwned) \'q\' "d"\nnl.txt';
    await leaf.call('Write', { file_path: name, content: 'x' });
    expect((await leaf.call('Read', { file_path: name })).text).toBe(`${name}\n1. x`);
    expect(await leaf.sh('ls -d pwned 2>/dev/null || echo none')).toBe('none\n');
  });
});
