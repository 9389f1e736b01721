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
  ])('T18 %s', (pattern, expected) => {
    expect(matching(pattern)).toEqual(expected);
  });

  it('starts at the folder before the first wildcard', () => {
    expect(globPattern('/a/b/*.py').base).toBe('/a/b');
    expect(globPattern('/*.py').base).toBe('/');
    expect(globPattern('../x/**').base).toBe('../x');
    expect(globPattern('a/b.py').base).toBe('a');
  });
});
