import { editOf, type Edit } from './edit.ts';
import { oneOf } from './random.ts';
import type { BuggyRepository } from './repositories.ts';

/** One turn of the teacher. Without a call it is the last. */
export interface Turn {
  text: string;
  call?: { name: string; arguments: Record<string, string> };
  /** 0 = a mistake made on purpose: shown, not learnt. */
  weight: 0 | 1;
}

const TESTS = 'python3 -m pytest -q';

/** The turns of one run; each is answered with the observation that the tools really gave. */
export type Lesson = Generator<Turn, void, string>;

const bash = (command: string, text = ''): Turn => ({
  text,
  call: { name: 'Bash', arguments: { command } },
  weight: 1,
});
const read = (path: string): Turn => ({
  text: '',
  call: { name: 'Read', arguments: { file_path: path } },
  weight: 1,
});

/**
 * Share of lessons that end with the edit: what to edit is what is hard to learn, and how a run goes on
 * is the same every time and longer.
 */
const ENDS_WITH_EDIT = 0.85;
/** Chance of a wrong fix first, of one more after it, and of an end after one. */
const WRONG_FIX = 0.25;
const GIVES_UP = 0.1;
/** Share of lessons with an edit that the tool refuses. */
const REFUSED_EDIT = 0.06;

/**
 * Reads and edits, where most runs end; others run the tests and end with a sentence that is true. Some
 * begin with the tests, some take wrong turns first and recover, a few end without a fix. `wrongs`: the
 * file with other bugs.
 */
export function* teach(
  task: BuggyRepository,
  random: () => number,
  wrongs: readonly string[],
): Lesson {
  const { module: file, test } = task;
  const bad = task.files[file] ?? '';
  const short = test === null || random() < ENDS_WITH_EDIT;
  if (!short || !task.named) yield* lookAround(task, random);
  yield read(file);
  const now = short ? bad : yield* wrongFixes(task, random, wrongs);
  if (now === null) return;
  if (now === bad && random() < REFUSED_EDIT)
    yield* refusedEdit(file, editOf(bad, task.good), random);
  yield* putRight(task, random, { now, again: now !== bad, goesOn: () => !short });
}

/** What the model did where the fix was due; `own_edits.py` writes it. */
export interface OwnEdit {
  text: string;
  old: string;
  new: string;
}

/** Share of lessons on the model's own mistakes that have two of them, and of those that go on to the end. */
const TWO_MISTAKES = 0.4;
const GOES_ON = 0.3;

/** From the model's own mistakes to the fix: what they led to is seen, and something else is done. */
export function* correct(
  task: BuggyRepository,
  random: () => number,
  mistakes: readonly OwnEdit[],
): Lesson {
  const { module: file } = task;
  if (!task.named) yield* lookAround(task, random);
  yield read(file);
  let now = task.files[file] ?? '';
  for (const { text, old, new: put } of mistakes.slice(0, random() < TWO_MISTAKES ? 2 : 1)) {
    const result = yield edit(file, { old, new: put }, text, 0);
    if (!result.startsWith('Edited')) continue;
    now = now.replace(old, () => put);
    // Not a mistake then.
    if ((yield bash(TESTS)).startsWith('Exit code: 0')) return;
  }
  yield* putRight(task, random, { now, again: true, goesOn: () => random() < GOES_ON });
}

/** The fix of what the file is now; `again` = after an edit that was wrong; then maybe tests and an end. */
function* putRight(
  task: BuggyRepository,
  random: () => number,
  how: { now: string; again: boolean; goesOn: () => boolean },
): Lesson {
  const fix = editOf(how.now, task.good);
  if (fix === null) return;
  yield edit(task.module, fix, (how.again ? 'That edit was not right. ' : '') + at(random, fix));
  if (how.goesOn()) yield* finish(task, fix, random);
}

/** Fixes that the tests prove wrong; what the file then is, or `null` when the lesson ends there. */
function* wrongFixes(
  task: BuggyRepository,
  random: () => number,
  wrongs: readonly string[],
): Generator<Turn, string | null, string> {
  let now = task.files[task.module] ?? '';
  for (const wrong of wrongs.slice(0, 2)) {
    const slip = editOf(now, wrong);
    if (slip === null || random() > WRONG_FIX) return now;
    yield edit(task.module, slip, at(random, slip), 0);
    const result = yield bash(TESTS);
    if (result.startsWith('Exit code: 0')) return null;
    now = wrong;
    if (random() < GIVES_UP) {
      yield { text: notFixed(task.function), weight: 1 };
      return null;
    }
    if (random() < 0.5) yield read(task.module);
  }
  return now;
}

/** The tests first, where the issue names no file always, and a look at what is there. */
function* lookAround(task: BuggyRepository, random: () => number): Lesson {
  if (!task.named || random() < 0.22) {
    yield bash(TESTS, random() < 0.5 ? 'I run the tests first.' : '');
  }
  if (!task.named) yield bash('ls');
  else if (task.test !== null && random() < 0.1) yield read(task.test);
}

function* finish(task: BuggyRepository, fix: Edit, random: () => number): Lesson {
  const { module: file, function: name } = task;
  const result = yield bash(TESTS);
  const text = result.startsWith('Exit code: 0')
    ? oneOf(random, [
        `I fixed ${name} in ${file}. The tests pass now.`,
        `Fixed: line ${fix.line} of ${file} was wrong. The tests pass.`,
        `${name} is fixed and the tests pass.`,
      ])
    : notFixed(name);
  yield { text, weight: 1 };
}

const notFixed = (name: string) => `I could not fix ${name}: the test still fails.`;

/** An edit whose old text is not in the file or that changes nothing, and the second look that follows. */
function* refusedEdit(file: string, fix: Edit | null, random: () => number): Lesson {
  if (fix === null) return;
  const off = oneOf(random, [
    { ...fix, old: `${fix.old.trim()}  ` },
    { ...fix, old: `  ${fix.old}` },
    { ...fix, new: fix.old },
  ]);
  const result = yield edit(file, off, at(random, fix), 0);
  if (!result.startsWith('Edited')) yield read(file);
}

function edit(
  file: string,
  { old, new: text }: Pick<Edit, 'old' | 'new'>,
  why: string,
  weight: 0 | 1 = 1,
): Turn {
  const args = { file_path: file, old_string: old, new_string: text };
  return { text: why, call: { name: 'Edit', arguments: args }, weight };
}

function at(random: () => number, { line }: Edit): string {
  return oneOf(random, [
    `Line ${line} is wrong.`,
    `The bug is on line ${line}.`,
    `Line ${line} has the bug.`,
  ]);
}
