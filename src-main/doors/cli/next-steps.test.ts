import type { Command } from 'commander';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS, nextParts } from '../../contract/index.ts';
import { createProgram, nameOf } from './program.ts';

const SOURCES = path.resolve(import.meta.dirname, '../..');

function leaves(command: Command): string[] {
  if (command.commands.length > 0) return command.commands.flatMap(leaves);
  return [nameOf(command).replace(/^vivarium /, '')];
}

test('every command is one that a next step may name, and no other', () => {
  const console = { out: () => undefined, err: () => undefined } as never;
  const program = createProgram(console, () => undefined);
  const all = leaves(program).filter((name) => name !== 'models keep');
  expect([...COMMANDS].toSorted()).toEqual(all.toSorted());
});

test('wherever the core says a command of ours, a window can tell it from words', () => {
  const files = globSync('{core,fix,models,workspaces,patch,git,store,agent}/**/*.ts', {
    cwd: SOURCES,
  }).filter((file) => !/\.test\.ts$|testing/.test(file));
  expect(files.length).toBeGreaterThan(300);
  const said = files.flatMap((file) => {
    const lines = readFileSync(path.join(SOURCES, file), 'utf8').split('\n');
    // Comments are for engineers.
    const code = lines.filter((line) => !/^\s*(?:\*|\/\*|\/\/)/.test(line));
    return code.flatMap((line) => [...line.matchAll(/\S*\bvivarium [a-z][^`'"]*./g)].map(String));
  });
  expect(said.length).toBeGreaterThan(25);
  const unread = said.filter((text) => {
    const plain = text.replaceAll('\\`', '`').replaceAll(/\$\{[^}]*\}/g, 'frog');
    return !nextParts(plain).some(({ kind }) => kind === 'command');
  });
  expect(unread).toEqual([]);
});
