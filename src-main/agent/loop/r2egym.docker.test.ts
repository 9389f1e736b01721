import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Workspace } from '../../workspaces/index.ts';
import { file, openBench, type Bench } from '../../../test/support/workspaces.ts';
import { NUDGES } from '../scaffolds/r2egym/defaults.ts';
import { createR2egymScaffold } from '../scaffolds/r2egym/scaffold.ts';
import type { AttemptRequest } from '../types.ts';
import { runAttempt } from './run-attempt.ts';
import { recorder, scriptedModel } from './testing/stubs.ts';

let bench: Bench;
let shared: Workspace;

beforeAll(async () => {
  bench = await openBench();
  shared = await bench.open({ seed: [file('a.py', 'x = 1\n')], root: '/testbed' });
});
afterAll(() => bench.dispose());

const call = (name: string, parameters: Record<string, string>) =>
  `<function=${name}>\n${Object.entries(parameters)
    .map(([key, value]) => `<parameter=${key}>${value}</parameter>\n`)
    .join('')}</function>`;
const says = (content: string) => ({ content });
const FINISH = says(`Done.\n${call('finish', { command: 'submit', result: 'Fixed.' })}`);

/** One attempt in a real workspace; the scripted server refuses histories that are not well-formed. */
async function run(lines: object[], more: Partial<AttemptRequest> = {}) {
  const model = await scriptedModel(lines);
  onTestFinished(() => model.close());
  const recorded = recorder();
  const scaffold = createR2egymScaffold();
  const outcome = await runAttempt({
    task: { instruction: 'fix it' },
    scaffold,
    chat: model.chat,
    workspace: shared,
    limits: { ...scaffold.limits, timeLimitMs: 60_000 },
    contextTokens: null,
    seed: 1,
    recorder: recorded,
    signal: new AbortController().signal,
    ...more,
  });
  const history = recorded.steps.flatMap(({ messages }) =>
    messages.map(({ role, content }) => `${role}: ${content}`),
  );
  return { outcome, recorded, history };
}

test('L10 a fix: thought and call in text, observations as user turns, steps counted down', async () => {
  const { outcome, recorded, history } = await run([
    says(
      `I change it.\n${call('file_editor', { command: 'str_replace', path: '/testbed/a.py', old_str: 'x = 1', new_str: 'x = 2' })}`,
    ),
    says(`I check.\n${call('execute_bash', { cmd: 'cat a.py' })}`),
    FINISH,
  ]);
  expect(outcome).toMatchObject({ exitReason: 'agent', finalMessage: 'Fixed.', steps: 3 });
  expect(recorded.openings[0]?.messages.at(-1)?.content).toMatch(
    /fix it[\s\S]*\nSteps Remaining: 40$/,
  );
  expect(recorded.openings[0]?.tools).toEqual([]);
  expect(history).toEqual([
    'assistant: I change it.\n\n<function=file_editor>\n  <parameter=command>str_replace</parameter>\n  <parameter=path>/testbed/a.py</parameter>\n  <parameter=old_str>x = 1</parameter>\n  <parameter=new_str>x = 2</parameter>\n</function>',
    "user: Execution output of [file_editor]:\nThe file /testbed/a.py has been edited. Here's the result of running `cat -n` on a snippet of /testbed/a.py:\n     1\tx = 2\n     2\t\nReview the changes and make sure they are as expected. Edit the file again if necessary.\n\nSteps Remaining: 39",
    'assistant: I check.\n\n<function=execute_bash>\n  <parameter=cmd>cat a.py</parameter>\n</function>',
    'user: Exit code: 0\nExecution output of [execute_bash]:\n[STDOUT]\n\nx = 2 \n\n[STDERR]\n\n\n\nSteps Remaining: 38',
    'assistant: Done.\n\n<function=finish>\n  <parameter=command>submit</parameter>\n  <parameter=result>Fixed.</parameter>\n</function>',
  ]);
});

test('L10 replies without a call are reminded, and end as format_error in the end', async () => {
  const { outcome, history } = await run([says('It is fixed.'), says('Really.'), says('Yes.')]);
  expect(outcome.exitReason).toBe('format_error');
  expect(history.slice(0, 3)).toEqual([
    'assistant: It is fixed.\n\n<function=>\n</function>',
    `user: ${NUDGES.noCall}\nSteps Remaining: 39`,
    'assistant: Really.\n\n<function=>\n</function>',
  ]);
});

test('L07 a tool of the other scaffold is answered with the functions there are', async () => {
  const { history } = await run([says(call('Bash', { command: 'ls' })), FINISH]);
  expect(history[1]).toBe(
    'user: Unknown function: Bash. The functions are file_editor, execute_bash, search, finish.\nSteps Remaining: 39',
  );
});

test('L05 a nudge about repeats stands in the same turn as the observation', async () => {
  const look = says(call('execute_bash', { cmd: 'true' }));
  const { outcome, history } = await run([look, look, look, look, look, look, look, look, FINISH]);
  expect(outcome.exitReason).toBe('loop');
  const roles = history.map((line) => line.split(':')[0]);
  expect(roles.some((role, at) => role === 'user' && roles[at + 1] === 'user')).toBe(false);
});

test('the last of the steps that were asked for', async () => {
  const look = (n: number) => says(call('execute_bash', { cmd: `echo ${n}` }));
  const limits = { ...createR2egymScaffold().limits, maxSteps: 2 };
  const { outcome, history } = await run([look(1), look(2), look(3)], { limits });
  expect(outcome).toMatchObject({ exitReason: 'max_turns', steps: 2 });
  expect(history[1]).toMatch(/\nSteps Remaining: 1$/);
  expect(history[3]).toMatch(/Please submit your answer NOW\.$/);
});
