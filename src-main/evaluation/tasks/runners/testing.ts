import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { junitCases, type JunitCase } from '../../../fix/index.ts';
import { commandVerifier } from '../command-verifier.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

export interface VerifierRun {
  /** Shell text that runs the tests. */
  command: string;
  /** Files of the tree. */
  files?: Record<string, string>;
  /** Shell text of programs that stand for others; `$RECORDED` has what real ones printed. */
  programs?: Record<string, string>;
  order?: number;
  withLines?: boolean;
  expected?: { fail_to_pass: string[]; pass_to_pass: string[] };
}

export interface VerifierResult {
  code: number | null;
  log: string;
  /** `undefined` = it left no report. */
  cases: JunitCase[] | undefined;
  statuses: Record<string, string>;
  /** What it left in other files; `null` = nothing. */
  reward: unknown;
  lines: unknown;
}

/** Runs the verifier of a command as a harness would, on this machine. */
export async function runVerifier(run: VerifierRun): Promise<VerifierResult> {
  const home = await mkdtemp(path.join(tmpdir(), 'verifier-'));
  const place = (name: string) => path.join(home, name);
  try {
    const { command, files = {}, programs = {}, order, withLines = false } = run;
    const tests = await commandVerifier({ workdir: '/none', command, files: {}, withLines });
    const expected = run.expected ?? { fail_to_pass: [], pass_to_pass: [] };
    await fill(place('tests'), { ...tests, 'expected.json': JSON.stringify(expected) });
    await fill(place('tree'), files);
    const shell = Object.entries(programs).map(([name, text]) => [name, `#!/bin/sh\n${text}\n`]);
    await fill(place('bin'), Object.fromEntries(shell) as Record<string, string>);
    const { status, stdout, stderr } = spawnSync('sh', [place('tests/test.sh')], {
      encoding: 'utf8',
      env: {
        ...process.env,
        RECORDED: path.join(ROOT, 'test/fixtures/runners'),
        VERIFIER_DIR: place('out'),
        WORKDIR: place('tree'),
        PATH: `${place('bin')}:${path.join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
        ...(order !== undefined && { TEST_ORDER_SEED: String(order) }),
      },
    });
    const report = await readFile(place('out/junit.xml')).catch(() => undefined);
    const cases = report && junitCases(report);
    const statuses = Object.fromEntries((cases ?? []).map((one) => [one.name, one.status]));
    const [reward, lines] = [
      await json(place('out/reward.json')),
      await json(place('out/lines.json')),
    ];
    return { code: status, log: stdout + stderr, cases, statuses, reward, lines };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function fill(folder: string, files: Record<string, Uint8Array | string>): Promise<void> {
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content, { mode: 0o755 });
  }
}

async function json(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => 'null');
  return JSON.parse(text) as unknown;
}
