import { Buffer } from 'node:buffer';
import type { VerificationRun } from '../../contract/index.ts';
import type { RunResult, Workspace } from '../../workspaces/index.ts';
import { VivariumError } from '../../lib/index.ts';
import { MAX_REPORT_BYTES } from './junit.ts';
import { findTests, planRun, planWithoutReport, type RunPlan } from './runner.ts';

/** Of each stream: enough to read single tests from, and bounded. */
const KEEP_BYTES = { head: 512 * 1024, tail: 2 * 1024 * 1024 };

/** Of the output that goes into the record. */
const TAIL_CHARS = 6_000;

/** pytest ends with this when it does not know an option. */
const PYTEST_USAGE_ERROR = 4;

interface RunOptions {
  command: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

function textOf(stream: RunResult['stdout']): string {
  const bytes = Buffer.concat([stream.head, Buffer.from('\n'), stream.tail]);
  return (stream.tail.length === 0 ? Buffer.from(stream.head) : bytes).toString('utf8');
}

function tailOf(result: RunResult): string {
  const out = textOf(result.stdout).trimEnd();
  const err = textOf(result.stderr).trimEnd();
  const whole = [out, err].filter((text) => text !== '').join('\n');
  return whole.length > TAIL_CHARS ? whole.slice(-TAIL_CHARS) : whole;
}

async function shellOf(workspace: Workspace): Promise<'bash' | 'sh'> {
  const found = (await workspace.stat('/bin/bash')) ?? (await workspace.stat('/usr/bin/bash'));
  return found === undefined ? 'sh' : 'bash';
}

/** What the code under test put in the report's place is no report: a pipe, a device, a folder. */
async function readReport(workspace: Workspace, plan: RunPlan): Promise<Uint8Array | undefined> {
  for (const path of plan.reports) {
    const read = await workspace
      .readFile(path, { maxBytes: MAX_REPORT_BYTES + 1 })
      .catch((error: unknown) => {
        if (error instanceof VivariumError && error.code === 'workspace_path') return undefined;
        throw error;
      });
    if (read !== undefined && read.totalBytes <= MAX_REPORT_BYTES) return read.bytes;
  }
  return undefined;
}

/** Why a run that did not simply exit is no pass. */
function endingOf(result: RunResult, timeoutMs: number): string | null {
  if (result.timedOut) return `the command did not end within ${timeoutMs / 1000} s`;
  if (result.outOfMemory) return 'the command ran out of memory';
  if (result.signal !== null) return `the command was ended by signal ${result.signal}`;
  return null;
}

/**
 * Runs the verify command once in a workspace that nobody used before, and tells single tests
 * apart where their runner is recognised. A pass needs exit code 0 and no failed test.
 */
export async function runCommand(
  workspace: Workspace,
  { command, timeoutMs, signal }: RunOptions,
): Promise<VerificationRun> {
  const shell = await shellOf(workspace);
  const execute = async (plan: RunPlan) => {
    const result = await workspace.run({
      command: plan.script,
      shell,
      timeoutMs,
      keepBytes: KEEP_BYTES,
      ...(signal ? { signal } : {}),
    });
    signal?.throwIfAborted();
    return { plan, result, report: await readReport(workspace, plan) };
  };
  let done = await execute(planRun(command));
  if (done.result.exitCode === PYTEST_USAGE_ERROR && done.report === undefined) {
    done = await execute(planWithoutReport(command));
  }
  return judgeRun(done, timeoutMs);
}

interface DoneRun {
  plan: RunPlan;
  result: RunResult;
  report: Uint8Array | undefined;
}

function judgeRun({ plan, result, report }: DoneRun, timeoutMs: number): VerificationRun {
  const findings = findTests(plan, report, textOf(result.stdout));
  const bad = findings.tests.filter(({ status }) => status === 'failed' || status === 'error');
  let reason = endingOf(result, timeoutMs) ?? findings.contradiction;
  if (reason === null && result.exitCode === 0) {
    if (bad.length > 0) reason = `exit code 0, but ${bad.length} tests failed`;
    else if (report !== undefined && findings.tests.length === 0) reason = 'no test ran';
  }
  return {
    exitCode: result.exitCode,
    passed: result.exitCode === 0 && reason === null,
    reason,
    seconds: result.durationMs / 1000,
    runner: findings.runner,
    tests: findings.tests,
    outputTail: tailOf(result),
  };
}
