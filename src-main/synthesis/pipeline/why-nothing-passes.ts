import { logOf, type Graded } from '../../evaluation/index.ts';
import { VivariumError, visibleLine } from '../../lib/index.ts';

/** Named in one line at most. */
const SHOWN = 3;

/** How runners and languages name what they cannot find; a module of the repository itself is one, too. */
const LACKING = [
  /No module named '([^'\s.]+)/g,
  /Cannot find (?:module|package) '([^'\s./][^'\s]*)'/g,
  /no required module provides package ([^\s:;]+)/g,
];
/** Files that pytest cannot load. */
const UNREAD = /^_* ?ERROR collecting (\S+)/gm;

/** Why no test passes without a bug, as the log of a run tells it. @throws VivariumError `task_invalid` */
export function nothingPasses(graded: Graded): VivariumError {
  const log = logOf(graded);
  const lacking = named(log, LACKING);
  if (lacking !== '') {
    return tellsNothing(
      `the image lacks ${lacking}`,
      `Build an image that has ${lacking}, and name it with --image.`,
    );
  }
  const unread = named(log, [UNREAD]);
  const { infra, summary } = graded.grading;
  const why = infra === null ? `no test passes every time (${summary})` : infra.detail;
  return tellsNothing(
    unread === '' ? why : `${unread} cannot be loaded: ${firstError(log) ?? why}`,
    'Run the command by hand in the image: some tests have to pass.',
  );
}

function tellsNothing(why: string, next: string): VivariumError {
  return new VivariumError('task_invalid', `the tests tell nothing without a bug: ${why}`, next);
}

/** What the patterns find, each once, with commas between. */
function named(log: string, patterns: readonly RegExp[]): string {
  const found = patterns.flatMap((pattern) =>
    [...log.matchAll(pattern)].map(([, name = '']) => name),
  );
  const all = [...new Set(found)].map((name) => visibleLine(name.slice(0, 100)));
  const more = all.length > SHOWN ? ` and ${all.length - SHOWN} more` : '';
  return `${all.slice(0, SHOWN).join(', ')}${more}`;
}

/** What pytest prints of the first error. */
function firstError(log: string): string | undefined {
  const line = /^E\s+(\S.*)$/m.exec(log)?.[1];
  return line === undefined ? undefined : visibleLine(line.slice(0, 300));
}
