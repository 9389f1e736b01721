import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Leaf } from './open-leaf.ts';
import { openLeaf } from './open-leaf.ts';

let leaf: Leaf;
beforeAll(async () => {
  leaf = await openLeaf();
});
afterAll(() => leaf.close());

const read = async (args: Record<string, unknown>) => (await leaf.call('Read', args)).text;
const glob = async (args: Record<string, unknown>) => (await leaf.call('Glob', args)).text;

describe('Read in a real workspace', () => {
  it('shows path and numbered lines, whole or in part', async () => {
    await leaf.put('pkg/r.py', 'a\n\n  b\nlast');
    expect(await read({ file_path: 'pkg/r.py' })).toBe('pkg/r.py\n1. a\n2. \n3.   b\n4. last');
    expect(await read({ file_path: './pkg/../pkg/r.py', offset: 2, limit: 2 })).toBe(
      'pkg/r.py\n2. \n3.   b',
    );
    expect(await read({ file_path: `${leaf.workspace.root}/pkg/r.py`, offset: 4 })).toBe(
      'pkg/r.py\n4. last',
    );
    expect(await read({ file_path: 'pkg/r.py', offset: -3, limit: 0 })).toBe(
      'pkg/r.py\n1. a\n2. \n3.   b\n4. last',
    );
  });

  it('T15 arguments as strings, `path` for `file_path`', async () => {
    await leaf.put('t15.txt', 'a\nb\nc\n');
    expect(await read({ path: 't15.txt', offset: '2', limit: '1' })).toBe('t15.txt\n2. b');
    expect(await read({ file_path: 't15.txt', offset: '2.0', limit: '' })).toBe(
      't15.txt\n2. b\n3. c',
    );
    expect(await read({ file_path: 't15.txt', limit: 'two' })).toBe(
      "ValueError: invalid literal for int() with base 10: 'two'",
    );
    const flag = { file_path: 't15.txt', old_string: 'a', new_string: 'd', replace_all: 'true' };
    expect((await leaf.call('Edit', flag)).text).toBe('Edited t15.txt (1 replacement).');
  });

  it('reads the home folder and absolute paths anywhere', async () => {
    await leaf.sh('echo hi > ~/note');
    expect(await read({ file_path: '~/note' })).toMatch(/^\/.*\/note\n1\. hi$/);
    expect(await read({ file_path: '/etc/hostname' })).toMatch(/^\/etc\/hostname\n1\. /);
  });

  it('T11 a line of 300,000 characters', async () => {
    await leaf.put('t11.js', 'x'.repeat(300_000));
    const text = await read({ file_path: 't11.js' });
    expect(await read({ file_path: 't11.js', offset: 1, limit: 1 })).toBe(text);
    expect(text).toBe(
      `t11.js\n1. ${'x'.repeat(19_990)}\n[truncated 280010 chars]\n` +
        '[Line 1 is 300000 characters long; see more of it with Bash: sed -n 1p t11.js | cut -c 19991-39990]',
    );
  });

  it('T11 a long line after others: what is said to be next is the first that was not shown', async () => {
    const line = Array.from({ length: 60_000 }, (_, at) =>
      String.fromCharCode(97 + (at % 26)),
    ).join('');
    await leaf.put('t11b.js', `${'y'.repeat(1999)}\n`.repeat(8) + `${line}\nlast\n`);
    const text = await read({ file_path: 't11b.js' });
    const shown = /\n9\. (\w*)\n\[truncated /.exec(text)?.[1] ?? '';
    expect(shown.length).toBeGreaterThan(3_000);
    const more = /see more of it with Bash: (.*)\]\n/.exec(text)?.[1] ?? '';
    expect(await leaf.sh(more)).toBe(`${line.slice(shown.length, shown.length + 20_000)}\n`);
    expect(
      text.endsWith(
        '\n[Shown are lines 1 to 9 of 10, the last one in part; go on with offset 10.]',
      ),
    ).toBe(true);
  });

  it('T11 a long file: what is shown and how to go on', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`);
    await leaf.put('t11.txt', `${lines.join('\n')}\n`);
    const text = await read({ file_path: 't11.txt', offset: 1000 });
    const shown = text.split('\n[truncated ')[0] ?? '';
    expect(shown).toHaveLength(20_000);
    const last = 1000 + shown.split('\n').length - 2;
    expect(text).toContain(
      ` chars]\n[Shown are lines 1000 to ${last} of 5000, the last one in part; go on with offset ${last}.]`,
    );
    expect(await read({ file_path: 't11.txt', offset: last, limit: 1 })).toBe(
      `t11.txt\n${last}. line ${last}`,
    );
  });

  it('T14 folder, binary, empty, missing, past the end', async () => {
    const { root } = leaf.workspace;
    await leaf.sh(
      'mkdir -p t14/sub && : > t14/empty && printf "a\\n" > t14/helper.py && printf "\\211PNG\\r\\n\\032\\n\\0\\0" > t14/logo.png',
    );
    expect(await read({ file_path: 't14/sub' })).toBe(
      `IsADirectoryError: [Errno 21] Is a directory: '${root}/t14/sub'\n[t14/sub is a folder; list it with Glob or Bash.]`,
    );
    expect(await read({ file_path: 't14/logo.png' })).toBe(
      'ValueError: t14/logo.png is a binary file (a PNG image) of 10 bytes, not text\n[Look at it with Bash, e.g. file, xxd or python3.]',
    );
    expect(await read({ file_path: 't14/empty' })).toBe('t14/empty\n[The file is empty.]');
    expect(await read({ file_path: 't14/helper.py', offset: 9 })).toBe(
      't14/helper.py\n[The file has 1 line; offset 9 is past its end.]',
    );
    expect(await read({ file_path: 'helper.py' })).toBe(
      `FileNotFoundError: [Errno 2] No such file or directory: '${root}/helper.py'\n[Is it t14/helper.py?]`,
    );
    expect(await read({ file_path: 't14/helpers.py' })).toContain('[Is it t14/helper.py?]');
    expect(await read({ file_path: 'zzz/qqq.xyz' })).toBe(
      `FileNotFoundError: [Errno 2] No such file or directory: '${root}/zzz/qqq.xyz'`,
    );
  });

  it('T17 line numbers agree with grep -n and sed -n', async () => {
    const content = 'one\f\u2028x\u0085\ntwo\rstill two\nthree\v\x1c\r\nfour\u2029\n\nneedle\n';
    await leaf.put('t17.txt', content);
    const text = await read({ file_path: 't17.txt' });
    expect(text.split('\n').slice(1)).toEqual([
      '1. one\f\u2028x\u0085',
      '2. two\rstill two',
      '3. three\v\x1c',
      '4. four\u2029',
      '5. ',
      '6. needle',
    ]);
    expect(await leaf.sh('grep -n needle t17.txt')).toBe('6:needle\n');
    expect(await leaf.sh('sed -n 2p t17.txt')).toBe('two\rstill two\n');
  });

  it('T04 shows text of other encodings as text', async () => {
    await leaf.put('enc/latin1.txt', Buffer.from('caf\xe9\n', 'latin1'));
    await leaf.put(
      'enc/utf16.txt',
      Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from('héé\r\n', 'utf16le')]),
    );
    await leaf.put('enc/bom.txt', '\ufeffbom\n');
    expect(await read({ file_path: 'enc/latin1.txt' })).toBe('enc/latin1.txt\n1. café');
    expect(await read({ file_path: 'enc/utf16.txt' })).toBe('enc/utf16.txt\n1. héé');
    expect(await read({ file_path: 'enc/bom.txt' })).toBe('enc/bom.txt\n1. bom');
  });
});

describe('Glob in a real workspace', () => {
  it('T18 sorted, bounded, .git skipped, own files first, names unambiguous', async () => {
    await leaf.sh(
      'mkdir -p g/.git g/node_modules/m g/src && touch g/.git/config.py g/.hid.py "g/src/a b.py" g/src/Z.py "g/src/it\'s.py" \'g/src/"q".py\' && ' +
        'printf x > "$(printf "g/src/new\\nline.py")" && printf x > "$(printf "g/\\"top.py")" && ' +
        'cd g/node_modules/m && for i in $(seq 5000); do echo $i.py; done | xargs touch',
    );
    const found = await glob({ pattern: '**/*.py', path: 'g' });
    const lines = found.split('\n');
    expect(lines).toHaveLength(1002);
    expect(lines.slice(-2)).toEqual([
      '... 4006 more files',
      '[5000 of the 5006 files lie in installed packages or caches and are listed last.]',
    ]);
    expect(lines.filter((line) => line.startsWith('g/src') || line.startsWith('"'))).toEqual([
      'g/src/"q".py',
      'g/src/Z.py',
      'g/src/a b.py',
      "g/src/it's.py",
      '"g/src/new\\nline.py"',
    ]);
    expect(lines).not.toContain('g/.git/config.py');
    const own = await glob({ pattern: 'g/src/*.py' });
    expect(own.split('\n')).toEqual([
      'g/src/"q".py',
      'g/src/Z.py',
      'g/src/a b.py',
      "g/src/it's.py",
      '"g/src/new\\nline.py"',
    ]);
  });

  it('links count when they lead to files, as what they lead to', async () => {
    await leaf.sh(
      'mkdir -p l/d && echo x > l/real.txt && cd l && ln -s real.txt link.txt && ln -s d dir.txt && ln -s nowhere dead.txt',
    );
    expect(await glob({ pattern: 'l/*.txt' })).toBe('l/real.txt');
  });

  it('nothing, absolute patterns, folders that are none, braces', async () => {
    await leaf.sh('mkdir -p b && touch b/x.ts b/y.tsx b/z.js');
    const root = leaf.workspace.root;
    expect(await glob({ pattern: '*.nope' })).toBe('No files matched.');
    expect(await glob({ pattern: '*', path: 'nowhere' })).toBe('No files matched.');
    expect(await glob({ pattern: '*', path: 'b/x.ts' })).toBe('No files matched.');
    expect(await glob({ pattern: `${root}/b/*.ts` })).toBe('b/x.ts');
    expect(await glob({ pattern: '/etc/hostnam?' })).toBe('/etc/hostname');
    expect(await glob({ pattern: 'b/*.{ts,tsx}' })).toBe(
      'b/x.ts\nb/y.tsx\n[The braces were read as alternatives.]',
    );
  });
});
