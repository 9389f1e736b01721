import { describe, expect, test } from 'vitest';
import { syntaxReader } from '../syntax/index.ts';
import type { Language } from '../types.ts';
import { MUTATORS } from './mutators.ts';
import { sitesOf } from './sites.ts';
import { unitsOf } from './units.ts';

/** All that the mutator makes of a source; no candidate is dropped for what it says. */
async function changed(name: string, language: Language, source: string): Promise<string[]> {
  const syntax = (await syntaxReader(language))(source);
  const units = syntax ? unitsOf(syntax.root, language, source) : [];
  return units
    .flatMap((unit) => sitesOf(unit, 'a', null))
    .filter(({ mutator }) => mutator.name === name)
    .map(({ edit }) => source.slice(0, edit.start) + edit.text + source.slice(edit.end));
}

/** A function around lines, in each language. */
const WRAP: Record<Language, (lines: string) => string> = {
  python: (lines) => `def f(a, b):\n${lines.replaceAll(/^/gmu, '    ')}\n`,
  javascript: (lines) => `function f(a, b) {\n${lines}\n}\n`,
  typescript: (lines) => `function f(a: A, b: B) {\n${lines}\n}\n`,
  tsx: (lines) => `function f(a: A, b: B) {\n${lines}\n}\n`,
  go: (lines) => `package p\n\nfunc f(a, b int) int {\n${lines}\n}\n`,
};

type Row = [name: string, language: Language, before: string, after: string[]];

const IN_FUNCTIONS: Row[] = [
  ['opposite-comparison', 'python', 'return x not in y', ['return x in y']],
  ['opposite-comparison', 'typescript', 'return x === y;', ['return x !== y;']],
  ['opposite-comparison', 'go', 'return x < y', ['return x >= y']],
  [
    'comparison-boundary',
    'python',
    'return x < y <= z',
    ['return x <= y <= z', 'return x < y < z'],
  ],
  ['comparison-boundary', 'javascript', 'return x >= y;', ['return x > y;']],
  ['comparison-boundary', 'go', 'return x > y', ['return x >= y']],
  ['arithmetic-operator', 'python', 'x += y * z', ['x -= y * z', 'x += y + z']],
  ['arithmetic-operator', 'python', 'x = "%s" % y', []],
  ['arithmetic-operator', 'tsx', 'return x - y;', ['return x + y;']],
  ['arithmetic-operator', 'go', 'x++', ['x--']],
  ['boolean-operator', 'python', 'return x and y', ['return x or y']],
  ['boolean-operator', 'javascript', 'return x || y;', ['return x && y;']],
  ['boolean-operator', 'go', 'return x && y', ['return x || y']],
  ['swap-operands', 'python', 'return x - y', ['return y - x']],
  ['swap-operands', 'typescript', 'return x / y;', ['return y / x;']],
  ['swap-operands', 'go', 'return x % y', ['return y % x']],
  ['break-chain', 'python', 'return x < y < z', ['return x < y', 'return y < z']],
  ['break-chain', 'javascript', 'return x && y;', ['return x;', 'return y;']],
  ['break-chain', 'go', 'return x || y', ['return x', 'return y']],
  ['change-constant', 'python', 'return 3', ['return 4', 'return 2']],
  ['change-constant', 'typescript', 'return 0;', ['return 1;']],
  ['change-constant', 'go', 'return 1', ['return 2', 'return 0']],
  ['negate-condition', 'python', 'if x:\n    y()', ['if not x:\n    y()']],
  ['negate-condition', 'python', 'if x and y:\n    z()', ['if not (x and y):\n    z()']],
  ['negate-condition', 'python', 'if x is None:\n    y()', []],
  ['negate-condition', 'python', 'if x < y < z:\n    z()', ['if not (x < y < z):\n    z()']],
  ['negate-condition', 'typescript', 'if (x.y(1)) z();', ['if (!x.y(1)) z();']],
  ['negate-condition', 'python', 'return 1 if not x else 2', ['return 1 if x else 2']],
  ['negate-condition', 'javascript', 'if (!x) y();', ['if (x) y();']],
  ['negate-condition', 'go', 'if x > 1 { y() }', []],
  ['negate-condition', 'go', 'if x.Y() { z() }', ['if !x.Y() { z() }']],
  ['swap-branches', 'python', 'if x:\n    y()\nelse:\n    z()', ['if x:\n    z()\nelse:\n    y()']],
  [
    'swap-branches',
    'typescript',
    'if (x) { y(); } else { z(); }',
    ['if (x) { z(); } else { y(); }'],
  ],
  ['swap-branches', 'go', 'if x { y() } else { z() }', ['if x { z() } else { y() }']],
  ['swap-statements', 'python', 'a = 1\ny = a', ['y = a\na = 1']],
  ['swap-statements', 'python', 'x = 1\ny = x', []],
  ['swap-statements', 'python', 'y = a\na = 1', ['a = 1\ny = a']],
  ['swap-statements', 'python', 'self.x = 1\ny(self.x)', ['y(self.x)\nself.x = 1']],
  ['swap-statements', 'python', 'x = 1\ny = 2', []],
  ['swap-statements', 'javascript', 'x = 1;\ny(x);', ['y(x);\nx = 1;']],
  ['swap-statements', 'go', 'x = 1\ny(x)', ['y(x)\nx = 1']],
  ['break-continue', 'python', 'for x in y:\n    break', ['for x in y:\n    continue']],
  ['break-continue', 'javascript', 'for (;;) { continue; }', ['for (;;) { break; }']],
  ['break-continue', 'javascript', 'for (;;) { switch (x) { case 1: break; } }', []],
  ['break-continue', 'go', 'for { break }', ['for { continue }']],
  ['remove-assignment', 'python', 'self.x = 1\ny()', ['y()']],
  ['remove-assignment', 'python', 'a = 1', ['pass']],
  ['remove-assignment', 'python', 'x = 1', []],
  ['remove-assignment', 'python', 'x, a = 1, 2\nx = 3', ['x, a = 1, 2']],
  ['remove-assignment', 'python', 'a, b = b, a', ['pass']],
  ['remove-assignment', 'typescript', 'this.x = 1;\ny();', ['y();']],
  ['remove-assignment', 'go', 'x := 1\nx = 2\ny(x)', ['x := 1\ny(x)']],
  ['remove-conditional', 'python', 'if x:\n    y()\nz()', ['z()']],
  ['remove-conditional', 'javascript', 'if (x) y();\nz();', ['z();']],
  ['remove-conditional', 'go', 'if x { y() }\nz()', ['z()']],
  ['remove-conditional', 'python', 'w()\n\nif x:\n    y()\n\nz()', ['w()\n\nz()']],
  ['remove-loop', 'python', 'for x in y:\n    z()\nw()', ['w()']],
  ['remove-loop', 'javascript', 'while (x) { y(); }\nz();', ['z();']],
  ['remove-loop', 'go', 'for { y() }\nz()', ['z()']],
  ['remove-wrapper', 'python', 'try:\n    y()\n    w()\nexcept E:\n    z()', ['y()\nw()']],
  ['remove-wrapper', 'python', 'with x as y:\n    z()', []],
  ['remove-wrapper', 'javascript', 'try { y(); } catch (e) { z(); }', ['{ y(); }']],
  ['remove-wrapper', 'go', 'defer x()\ny()', ['y()']],
  ['remove-call', 'python', 'x.append(1)\ny = 2', ['y = 2']],
  ['remove-call', 'python', 'log.info(1)\ny = 2', []],
  ['remove-call', 'typescript', 'x.push(1);\nreturn 2;', ['return 2;']],
  ['remove-call', 'go', 'x.Add(1)\nreturn 2', ['return 2']],
  ['remove-return', 'python', 'if x:\n    return 1\nreturn 2', ['if x:\n    pass\nreturn 2']],
  ['remove-return', 'javascript', 'if (x) return 1;\nreturn 2;', ['if (x) {}\nreturn 2;']],
  ['remove-return', 'go', 'if x {\nreturn 1\n}\nreturn 2', ['if x {\n}\nreturn 2']],
  [
    'drop-copy',
    'python',
    'return list(x), y.copy(), z[:]',
    ['return x, y.copy(), z[:]', 'return list(x), y, z[:]', 'return list(x), y.copy(), z'],
  ],
  ['drop-copy', 'javascript', 'return [...x];', ['return x;']],
  ['swap-arguments', 'python', 'g(x, y, k=z)', ['g(y, x, k=z)']],
  ['swap-arguments', 'python', 'isinstance(x, y)', []],
  ['swap-arguments', 'typescript', 'g(x, y);', ['g(y, x);']],
  ['swap-arguments', 'go', 'g(x, y)', ['g(y, x)']],
  ['drop-argument', 'python', 'g(x, k=z)', ['g(x)']],
  ['drop-argument', 'javascript', 'g(x, y);', ['g(x);']],
  [
    'off-by-one',
    'python',
    'return x[1:n], len(y)',
    ['return x[2:n], len(y)', 'return x[1:n - 1], len(y)', 'return x[1:n], len(y) - 1'],
  ],
  ['off-by-one', 'python', 'return range(n + 1)', ['return range(n)']],
  ['off-by-one', 'javascript', 'return x.slice(1);', ['return x.slice(2);']],
  ['off-by-one', 'go', 'return x[1:n]', ['return x[2:n]', 'return x[1:n - 1]']],
  ['wrong-variable', 'python', 'return a', ['return b']],
  ['wrong-variable', 'typescript', 'return a;', ['return b;']],
  ['wrong-variable', 'go', 'return b', ['return a']],
  ['wrong-attribute', 'python', 'self.y = self.x', ['self.y = self.y']],
  ['wrong-attribute', 'javascript', 'this.y = this.x;', ['this.y = this.y;']],
];

describe('each mutator makes its one mistake and leaves the rest', () => {
  test.each(IN_FUNCTIONS)('%s in %s: %j', async (name, language, before, after) => {
    const wrap = WRAP[language];
    expect(await changed(name, language, wrap(before))).toEqual(after.map((text) => wrap(text)));
  });

  const WHOLE: Row[] = [
    [
      'change-default',
      'python',
      'def f(x=True, y: int = 3):\n    pass\n',
      ['def f(x=False, y: int = 3):\n    pass\n', 'def f(x=True, y: int = 4):\n    pass\n'],
    ],
    ['change-default', 'typescript', 'function f(x = false) {}\n', ['function f(x = true) {}\n']],
    ['change-default', 'javascript', 'function f(x = 1) {}\n', ['function f(x = 2) {}\n']],
    [
      'remove-base',
      'python',
      'class A(B, C):\n    pass\n',
      ['class A(C):\n    pass\n', 'class A(B):\n    pass\n'],
    ],
    ['remove-base', 'javascript', 'class A extends B { m() {} }\n', ['class A { m() {} }\n']],
    ['remove-base', 'javascript', 'class A extends B { m() { super.m(); } }\n', []],
    [
      'remove-method',
      'python',
      'class A:\n    def __init__(self):\n        pass\n    def m(self):\n        pass\n',
      ['class A:\n    def __init__(self):\n        pass\n'],
    ],
    ['remove-method', 'typescript', 'class A {\n  m() {}\n}\n', ['class A {\n}\n']],
    [
      'remove-class-attribute',
      'python',
      'class A:\n    x = 1\n    y: int\n',
      ['class A:\n    y: int\n'],
    ],
  ];
  test.each(WHOLE)('%s in %s: %j', async (name, language, before, after) => {
    expect(await changed(name, language, before)).toEqual(after);
  });

  test('every mutator has a row, and a row for each language it names', () => {
    const rows = new Set(
      [...IN_FUNCTIONS, ...WHOLE].map(
        ([name, language]) =>
          `${name} ${language === 'typescript' || language === 'tsx' ? 'javascript' : language}`,
      ),
    );
    const wanted = MUTATORS.flatMap(({ name, languages }) =>
      languages
        .filter((language) => language !== 'typescript' && language !== 'tsx')
        .map((language) => `${name} ${language}`),
    );
    expect(wanted.filter((row) => !rows.has(row))).toEqual([]);
  });

  test('text, types, decorators, imports and logging are left alone', async () => {
    const source =
      'def f(a: Literal[1]) -> Literal[2]:\n    """1 + 2"""\n    import g\n    # 3\n    log.info(4 + 5)\n';
    const syntax = (await syntaxReader('python'))(source);
    const units = syntax ? unitsOf(syntax.root, 'python', source) : [];
    expect(units.flatMap((unit) => sitesOf(unit, 'a', null))).toEqual([]);
  });
});
