import { expect, test } from 'vitest';
import { firstProgram } from './first-program.ts';

test.each([
  ['pytest -q', 'pytest'],
  ['  python3.11 -m pytest', 'python3.11'],
  ['CI=true FOO="a b" npm test', 'npm'],
  ['cd web && npm test', 'npm'],
  ["X='1' cd sub &&make", 'make'],
  ['g++ --version', 'g++'],
  ['make;true', 'make'],
  ['pytest|tee log', 'pytest'],
])('%s starts with %s', (command, program) => {
  expect(firstProgram(command)).toBe(program);
});

test.each([
  './check',
  'bin/test',
  '"my tool" -x',
  '$TOOL run',
  'if true; then make; fi',
  '(cd a; make)',
  'cd "a b" && make',
  '[ -f x ] && make',
  'A=$(date) make',
  'echo done',
  '',
  'pytest(',
])('of %s the text alone does not tell', (command) => {
  expect(firstProgram(command)).toBe(null);
});
