/**
 * Trajectories: `teach.ts SEED BUGS [OWN_EDITS] OUT`. The scripted teacher works through the loop, the
 * scaffold and the tools of a real run, in a real sandbox, so that every observation is what the model
 * will see. With OWN_EDITS (`own_edits.py`) it goes on from where the model went wrong, on those bugs
 * alone. Several workspaces at a time, each used for many repositories one after the other.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { loadScaffold, runAttempt, type Scaffold } from '../../src-main/agent/index.ts';
import { openAiMessage } from '../../src-main/fix/index.ts';
import { randomOf } from '../../src-main/lib/index.ts';
import type { ChatMessage, ChatModel, Completion } from '../../src-main/models/index.ts';
import {
  connectEngine,
  createOwner,
  openWorkspace,
  type Workspace,
} from '../../src-main/workspaces/index.ts';
import { readAll, type BuggyRepository } from './repositories.ts';
import { wrongsOf } from './slips.ts';
import { correct, teach, type Lesson, type OwnEdit } from './teacher.ts';

/** Made by `warm_image.sh`: the base image, whose pytest starts faster. */
const IMAGE = process.env['TADPOLE_IMAGE'] ?? 'vivarium-tadpole:latest';
const WARM_PYTEST = 'setsid python3 /usr/local/lib/warm_pytest.py > /dev/null 2>&1 &';
const SCAFFOLDS = path.join(import.meta.dirname, '..', '..', 'resources', 'scaffolds');
const MIB = 2 ** 20;
const LIMITS = { memoryBytes: 512 * MIB, cpus: 2, pids: 128, diskBytes: 128 * MIB, inodes: 20_000 };
/** Of one lesson, of which most take less than one second: an edit that never ends is no lesson. */
const MOST_MS = 8_000;
/** Characters of one conversation: what fits the model's window with room to spare. */
const MOST_CHARS = 5_000;

const [seed = '1', input = '', ...rest] = process.argv.slice(2);
const output = rest.at(-1) ?? '';
const ownEdits = rest.length > 1 ? rest[0] : undefined;
await teachAll(Number(seed));

async function teachAll(start: number): Promise<void> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'tadpole-'));
  const engine = await connectEngine();
  const owner = createOwner(home);
  const scaffold = await loadScaffold('tadpole', SCAFFOLDS);
  const mistakes = await mistakesOf(ownEdits);
  const all = await readAll<BuggyRepository>(input);
  const tasks = mistakes ? all.filter(({ id }) => mistakes.has(id)) : all;
  const lessons: (object | null)[] = Array.from(tasks, () => null);
  const startedAt = performance.now();
  let next = 0;
  const worker = async (number: number): Promise<void> => {
    const labels = { session: 'tadpole', attempt: String(number) };
    const open = { owner, image: IMAGE, limits: LIMITS, seed: nothing(), labels };
    const workspace = await openWorkspace(engine, open);
    try {
      await workspace.run({ command: WARM_PYTEST, shell: 'sh', timeoutMs: 10_000 });
      for (let at = next++; at < tasks.length; at = next++) {
        const task = tasks[at];
        // By the task and not by the worker: the same seed gives the same lessons.
        const random = randomOf(start * 1_000_000 + at);
        if (!task) continue;
        const own = mistakes?.get(task.id);
        const lesson = own
          ? correct(task, random, own)
          : teach(task, random, wrongsOf(task, random));
        lessons[at] = await lessonOf({ task, lesson, workspace, scaffold, random });
      }
    } finally {
      await workspace.close();
    }
  };
  try {
    await Promise.all([worker(0), worker(1)]);
  } finally {
    await owner.dispose();
    await rm(home, { recursive: true, force: true });
  }
  const made = lessons.filter((lesson) => lesson !== null);
  await writeFile(output, made.map((lesson) => `${JSON.stringify(lesson)}\n`).join(''));
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(
    `lessons: ${made.length} of ${tasks.length} repositories, ${seconds.toFixed(1)} s, ` +
      `${(made.length / seconds).toFixed(2)} a second\n`,
  );
}

/** By the id of the task; `undefined` = the lessons are made without any. */
async function mistakesOf(file: string | undefined): Promise<Map<string, OwnEdit[]> | undefined> {
  if (file === undefined) return undefined;
  const rows = await readAll<{ id: string; edits: OwnEdit[] }>(file);
  return new Map(rows.map(({ id, edits }) => [id, edits]));
}

interface Job {
  task: BuggyRepository;
  lesson: Lesson;
  workspace: Workspace;
  scaffold: Scaffold;
  random: () => number;
}

/** A row of OpenAI's fine-tuning format (`weight` 0 = not learnt); `null` = did not end as it should. */
async function lessonOf({
  task,
  lesson,
  workspace,
  scaffold,
  random,
}: Job): Promise<object | null> {
  await place(workspace, task.files);
  const teacher = teacherModel(lesson);
  const messages: ChatMessage[] = [];
  const outcome = await runAttempt({
    // The file of a task ends with a new line, what is typed does not.
    task: { instruction: random() < 0.5 ? task.issue : `${task.issue}\n` },
    scaffold,
    chat: teacher.chat,
    workspace,
    limits: { ...scaffold.limits, timeLimitMs: MOST_MS },
    contextTokens: null,
    seed: 1,
    signal: new AbortController().signal,
    recorder: {
      opened: async (opening) => void messages.push(...opening.messages),
      step: async (record) => void messages.push(...record.messages),
      activity: () => {},
    },
  });
  if (outcome.exitReason !== 'agent') return null;
  // What ends without a last sentence is cut after its last observation.
  if (teacher.silent()) messages.pop();
  const left = Buffer.from((await workspace.readFile(task.module))?.bytes ?? []).toString();
  // A lesson ends with the fix or says that it did not find one.
  const gaveUp = outcome.finalMessage?.startsWith('I could not') ?? false;
  if ((left === task.good) === gaveUp) return null;
  const chars = messages.reduce((sum, { content }) => sum + content.length, 0);
  if (chars > MOST_CHARS) return null;
  return { id: task.id, kind: task.kind, messages: rowsOf(messages, teacher.weights) };
}

/** Messages as `vivarium train export --format openai` writes them, with the weight of each reply. */
function rowsOf(messages: readonly ChatMessage[], weights: readonly number[]): object[] {
  let turn = 0;
  return messages.map((message) => {
    const row = openAiMessage(message);
    if (message.role !== 'assistant') return row;
    const weight = weights[turn] ?? 0;
    turn += 1;
    return { ...row, weight };
  });
}

/** A model whose next reply is the lesson's next turn. */
function teacherModel(lesson: Lesson) {
  const weights: number[] = [];
  let silent = false;
  const chat: ChatModel = {
    complete: async ({ messages }) => {
      const { value: turn } = lesson.next(messages.at(-1)?.content ?? '');
      silent = !turn;
      if (!turn) return completion('-');
      weights.push(turn.weight);
      if (!turn.call) return completion(turn.text);
      const args = withSpaces(turn.call.arguments);
      return completion(turn.text, {
        id: `call_${weights.length}`,
        name: turn.call.name,
        arguments: args,
      });
    },
  };
  return { chat, weights, silent: () => silent };
}

/** As Python writes JSON, which is what models see most. */
function withSpaces(args: Record<string, string>): string {
  const pairs = Object.entries(args).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  return `{${pairs.join(', ')}}`;
}

function completion(content: string, call?: Completion['toolCalls'][number]): Completion {
  return {
    content,
    reasoning: '',
    toolCalls: call ? [call] : [],
    finish: call ? 'calls' : 'stop',
    usage: { promptTokens: null, completionTokens: null, cachedTokens: null },
    timings: { firstTokenMs: null, totalMs: 0 },
    retries: [],
  };
}

/** The workspace as if it were new: nothing but these files, whose names need no quotes. */
async function place(workspace: Workspace, files: Record<string, string>): Promise<void> {
  const writes = Object.entries(files).map(([name, text]) => {
    const encoded = Buffer.from(text).toString('base64');
    return `mkdir -p ${path.dirname(name)}; echo ${encoded} | base64 -d > ${name}`;
  });
  const command = ['find . -mindepth 1 -delete', ...writes].join('\n');
  await workspace.run({ command, shell: 'sh', timeoutMs: 10_000 });
}

// oxlint-disable-next-line require-yield -- an empty tree has nothing to yield
async function* nothing(): AsyncGenerator<never> {}
