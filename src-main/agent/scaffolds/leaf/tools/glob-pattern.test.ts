import { describe, expect, it } from 'vitest';
import { globPattern } from './glob-pattern.ts';

/** Expected values are what Python 3's `glob.glob(pattern, recursive=True)` finds, files only. */
const FILES = [
  'a.py',
  'b.txt',
  '.hidden.py',
  'src/a.py',
  'src/.env',
  'src/deep/er/c.py',
  '.github/ci.yml',
  'src/.cache/d.py',
  'we{ird,x}.py',
  "it's (1) [x].py",
  'back\\slash.py',
  'new\nline.py',
  '!bang.py',
  '+(a).py',
];

function matching(pattern: string): string[] {
  const { base, matches } = globPattern(pattern);
  const prefix = base === '.' ? '' : `${base}/`;
  return FILES.filter((file) => file.startsWith(prefix) && matches(file.slice(prefix.length)));
}

const byFile = (a: string, b: string): number => FILES.indexOf(a) - FILES.indexOf(b);

const TOP = FILES.filter((file) => /^[^/.][^/]*\.py$/.test(file));

describe('patterns mean what they mean in Python', () => {
  it.each<[string, string[]]>([
    ['*.py', TOP],
    ['**/*.py', FILES.filter((file) => file.endsWith('.py') && !/(^|\/)\./.test(file))],
    ['**', FILES.filter((file) => !/(^|\/)\./.test(file))],
    ['src/**', ['src/a.py', 'src/deep/er/c.py']],
    ['src/**/c.py', ['src/deep/er/c.py']],
    ['src/**/er/*', ['src/deep/er/c.py']],
    ['**/deep/**/*.py', ['src/deep/er/c.py']],
    ['src/*', ['src/a.py']],
    ['src/.*', ['src/.env']],
    ['.*.py', ['.hidden.py']],
    ['.github/*', ['.github/ci.yml']],
    ['**/.env', ['src/.env']],
    ['?.py', ['a.py']],
    ['[ab].*', ['a.py', 'b.txt']],
    ['[!a].*', ['b.txt']],
    ['a**.py', ['a.py']],
    ['a.py', ['a.py']],
    ['src/a.py', ['src/a.py']],
    ['we{ird,x}.py', ['we{ird,x}.py']],
    ['*{*', ['we{ird,x}.py']],
    ["it's (1) [[]x].py", ["it's (1) [x].py"]],
    ['back\\slash*', ['back\\slash.py']],
    ['new*', ['new\nline.py']],
    ['!b*', ['!bang.py']],
    ['+(a)*', ['+(a).py']],
    ['', []],
    ['src/**/', []],
    ['**/**/c.py', ['src/deep/er/c.py']],
    ['[]!]bang.py', ['!bang.py']],
    ['[!]]bang.py', ['!bang.py']],
    ['[a-c].*', ['a.py', 'b.txt']],
    ['[c-].*', []],
    ['*a*.p?', ['+(a).py', 'a.py', 'back\\slash.py', '!bang.py'].sort(byFile)],
  ])('T18 %s', (pattern, expected) => {
    expect(matching(pattern)).toEqual(expected);
  });

  it('T18 no pattern is slow', () => {
    const started = performance.now();
    const name = 'a'.repeat(255);
    const path = Array.from({ length: 40 }, () => name).join('/');
    expect(globPattern(`${'*a'.repeat(60)}*b`).matches(name)).toBe(false);
    expect(globPattern(`${'**/*a*a*/'.repeat(20)}b`).matches(path)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('starts at the folder before the first wildcard', () => {
    expect(globPattern('/a/b/*.py').base).toBe('/a/b');
    expect(globPattern('/*.py').base).toBe('/');
    expect(globPattern('../x/**').base).toBe('../x');
    expect(globPattern('a/b.py').base).toBe('a');
  });
});
