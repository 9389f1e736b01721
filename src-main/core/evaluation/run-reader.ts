import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { ERROR_CODES, type ErrorCode } from '../../contract/index.ts';
import { ownScript, VivariumError } from '../../lib/index.ts';
import type { Environment } from '../environment.ts';
import { readRun, type AnswerTo, type Question } from './read-run.ts';

export interface Asked {
  id: number;
  question: Question;
}
export type Told = { id: number } & ({ json: string } | { fault: [string, string, string] });

/** Answers about runs, beside the main thread where they take longer than a frame. */
export interface RunReader {
  /** Of the record as it is now; asked again while nothing was recorded, it is not made again. */
  ask<Q extends Question>(question: Q): Promise<AnswerTo<Q>>;
}

/** A smaller run is read in less time than a message takes to a thread and back. */
const ASIDE_FROM_CELLS = 40;
/** Each is compared with each, which takes a millisecond or two. */
const MOST_ENTRIES = 4;
/** Starting it takes some hundred milliseconds; it holds some megabytes. */
const IDLE_MS = 60_000;
const KEPT_ANSWERS = 8;

const readers = new WeakMap<Environment, RunReader>();

/** The reader of an environment, made once. */
export function runReader(environment: Environment): RunReader {
  const made = readers.get(environment) ?? createRunReader(environment);
  readers.set(environment, made);
  return made;
}

function createRunReader(environment: Environment): RunReader {
  const thread = createThread(path.join(environment.config.home, 'vivarium.db'));
  environment.onClose(() => thread.close());
  const kept = new Map<string, { number: number; answer: Promise<string> }>();

  function answerTo(question: Question): Promise<string> {
    const { store } = environment;
    const run = store.run(question.run);
    const isOfTwo = 'with' in question && question.with !== null;
    const isSmall = run.cells.total < ASIDE_FROM_CELLS && run.entries.length <= MOST_ENTRIES;
    if (isSmall && !isOfTwo) {
      return Promise.resolve(readRun(store, question));
    }
    return thread.ask(question);
  }

  return {
    async ask<Q extends Question>(question: Q): Promise<AnswerTo<Q>> {
      // A file is asked for once, and may be large.
      if (question.about === 'file') return JSON.parse(await answerTo(question)) as AnswerTo<Q>;
      const key = JSON.stringify({ ...question, now: 0 });
      const number = environment.store.lastNumber();
      const known = kept.get(key);
      kept.delete(key);
      const answer = known?.number === number ? known.answer : answerTo(question);
      kept.set(key, { number, answer });
      if (kept.size > KEPT_ANSWERS) kept.delete([...kept.keys()][0] ?? '');
      // What fails is asked for anew.
      answer.catch(() => kept.delete(key));
      // Made by `readRun` for a question of this kind.
      return JSON.parse(await answer) as AnswerTo<Q>;
    },
  };
}

interface Waiting {
  resolve(json: string): void;
  reject(error: unknown): void;
}

/** One thread that answers in turn, started when it is needed and ended when nobody asks any more. */
function createThread(file: string) {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;

  function started(): Worker {
    if (worker !== null) return worker;
    const made = new Worker(ownScript('run-reader'), {
      workerData: { file },
      env: {},
      execArgv: [],
    });
    made.unref();
    made.on('message', (told: Told) => {
      const asker = waiting.get(told.id);
      waiting.delete(told.id);
      if ('json' in told) asker?.resolve(told.json);
      else asker?.reject(faultOf(told.fault));
      if (waiting.size === 0) idle = setTimeout(() => void end(), IDLE_MS).unref();
    });
    made.on('error', failAll);
    made.on('exit', () => {
      if (worker === made) worker = null;
      failAll(new Error('the thread that reads runs has ended'));
    });
    worker = made;
    return made;
  }

  function failAll(error: unknown): void {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  async function end(): Promise<void> {
    const ending = worker;
    worker = null;
    clearTimeout(idle);
    await ending?.terminate();
  }

  return {
    close: end,
    ask(question: Question): Promise<string> {
      clearTimeout(idle);
      const thread = started();
      last += 1;
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      waiting.set(last, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage({ id: last, question } satisfies Asked);
      return promise;
    },
  };
}

function faultOf([code, message, next]: [string, string, string]): VivariumError {
  const known: ErrorCode = code in ERROR_CODES ? (code as ErrorCode) : 'internal';
  return new VivariumError(known, message, next);
}
