import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import { readSmallFile } from '../../fix/index.ts';

export interface Proposal {
  command: string;
  because: string;
}

/** Reads small regular files of one folder; nothing is run and no link is followed. */
interface Looker {
  text(name: string): Promise<string | null>;
  has(name: string): Promise<boolean>;
  /** Names in a folder, some hundred at most; empty when it is not one. */
  names(folder: string): Promise<string[]>;
}

const MOST_NAMES = 500;

/** Commands that probably run the tests of a repository, the most telling first. */
export async function proposeVerify(top: string): Promise<Proposal[]> {
  const look = lookerAt(top);
  const found = await Promise.all(
    [python, node, go, rust, maven, gradle, make].map((propose) => propose(look)),
  );
  return found.filter((proposal) => proposal !== null);
}

function lookerAt(top: string): Looker {
  const kindOf = (name: string) => lstat(path.join(top, name)).catch(() => null);
  return {
    // A folder on the way to it may be a link, so only names at the top are read.
    text: (name) => readSmallFile(path.join(top, name)),
    has: async (name) => (await kindOf(name))?.isFile() ?? false,
    async names(folder) {
      if (!(await kindOf(folder))?.isDirectory()) return [];
      const names: string[] = [];
      try {
        for await (const { name } of await opendir(path.join(top, folder))) {
          names.push(name);
          if (names.length >= MOST_NAMES) break;
        }
      } catch {
        return names;
      }
      return names;
    },
  };
}

async function python(look: Looker): Promise<Proposal | null> {
  const command = 'python3 -m pytest -q';
  const settings = [
    ['pytest.ini', /^\s*\[pytest\]/m],
    ['pyproject.toml', /^\s*\[tool\.pytest(\.ini_options)?\]/m],
    ['setup.cfg', /^\s*\[tool:pytest\]/m],
    ['tox.ini', /^\s*\[pytest\]/m],
  ] as const;
  for (const [file, section] of settings) {
    const text = await look.text(file);
    if (text !== null && section.test(text)) return { command, because: `${file} sets up pytest` };
  }
  for (const folder of ['tests', 'test', '.']) {
    const test = (await look.names(folder)).find((name) => /^test_.*\.py$|_test\.py$/.test(name));
    if (test !== undefined) {
      const where = folder === '.' ? test : `${folder}/${test}`;
      return { command, because: `there is ${where}` };
    }
  }
  const project = await look.text('pyproject.toml');
  if (project !== null && /\bpytest\b/.test(project))
    return { command, because: 'pyproject.toml names pytest' };
  return null;
}

/** What `npm init` writes when nobody has tests. */
const NO_TESTS = /no test specified/;

async function node(look: Looker): Promise<Proposal | null> {
  const script = testScript(await look.text('package.json'));
  if (script === null || NO_TESTS.test(script)) return null;
  const lock = await firstOf(look, ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb']);
  const program = lock === null ? 'npm' : (lock.split(/[-.]/)[0] ?? 'npm');
  const run = program === 'bun' ? 'run test' : 'test';
  const because = `package.json has a test script${lock === null ? '' : `, and there is ${lock}`}`;
  return { command: `${program} ${run}`, because };
}

function testScript(text: string | null): string | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    if (typeof value !== 'object' || value === null || !('scripts' in value)) return null;
    const { scripts } = value;
    if (typeof scripts !== 'object' || scripts === null || !('test' in scripts)) return null;
    return typeof scripts.test === 'string' ? scripts.test : null;
  } catch {
    return null;
  }
}

async function go(look: Looker): Promise<Proposal | null> {
  return (await look.has('go.mod'))
    ? { command: 'go test ./...', because: 'there is go.mod' }
    : null;
}

async function rust(look: Looker): Promise<Proposal | null> {
  return (await look.has('Cargo.toml'))
    ? { command: 'cargo test --offline', because: 'there is Cargo.toml' }
    : null;
}

async function maven(look: Looker): Promise<Proposal | null> {
  if (!(await look.has('pom.xml'))) return null;
  const program = (await look.has('mvnw')) ? './mvnw' : 'mvn';
  return { command: `${program} -o -q test`, because: 'there is pom.xml' };
}

async function gradle(look: Looker): Promise<Proposal | null> {
  const file = await firstOf(look, ['build.gradle', 'build.gradle.kts']);
  if (file === null) return null;
  const program = (await look.has('gradlew')) ? './gradlew' : 'gradle';
  return { command: `${program} --offline test`, because: `there is ${file}` };
}

async function make(look: Looker): Promise<Proposal | null> {
  for (const file of ['GNUmakefile', 'makefile', 'Makefile']) {
    const text = await look.text(file);
    const target = text === null ? undefined : /^(test|check)\s*:(?!=)/m.exec(text)?.[1];
    if (target !== undefined)
      return { command: `make ${target}`, because: `${file} has the target ${target}` };
  }
  return null;
}

async function firstOf(look: Looker, names: readonly string[]): Promise<string | null> {
  for (const name of names) if (await look.has(name)) return name;
  return null;
}
