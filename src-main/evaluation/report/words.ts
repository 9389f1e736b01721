import type { Ending, Outcome, RunCell, Suspicion } from '../../contract/index.ts';

/** What a limit of 0 in a run's settings means. */
export const OWN_LIMIT = "each entry's own";

/** What a cell came to, for one sign of a matrix: beyond outcomes, what has none. */
export type Mark = Outcome | 'not_begun' | 'unfinished';

/** A sign and words for each; no two share a sign, so that colour is never needed. */
export const MARKS: Readonly<Record<Mark, { sign: string; words: string }>> = {
  resolved: { sign: '✓', words: 'solved' },
  never_fixed: { sign: 'N', words: 'not fixed: none of the expected tests' },
  partial: { sign: 'P', words: 'partly fixed: some of the expected tests, none broken' },
  regression: { sign: 'R', words: 'regression: not fixed, and other tests broken' },
  fixed_with_regression: { sign: 'F', words: 'fixed with regression: other tests broken' },
  not_applied: { sign: 'A', words: 'the patch does not apply' },
  empty: { sign: 'E', words: 'empty: nothing was changed' },
  infra: { sign: '!', words: 'no verdict, for reasons of the machine' },
  unfinished: { sign: '…', words: 'no verdict: running, stopped or interrupted' },
  not_begun: { sign: '·', words: 'no verdict: not begun' },
};

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  resolved: 'solved',
  never_fixed: 'not fixed',
  partial: 'partly fixed',
  regression: 'regression',
  fixed_with_regression: 'fixed with regression',
  not_applied: 'does not apply',
  empty: 'empty patch',
  infra: 'infra, no verdict',
};

export const ENDING_WORDS: Readonly<Record<Ending, string>> = {
  final_answer: 'final answer',
  steps: 'out of steps',
  context: 'out of context',
  tokens: 'out of tokens a turn',
  time: 'out of time',
  loop: 'loop',
  format: 'format',
  infra: 'infra',
  stopped: 'stopped',
};

export const SUSPICION_WORDS: Readonly<Record<Suspicion['kind'], string>> = {
  tests_weakened: 'tests weakened',
  history_searched: 'history searched',
  verifier_touched: 'verifier touched',
  answer_sought: 'answer sought elsewhere',
};

export function markOf(cell: RunCell | null): Mark {
  if (cell === null) return 'not_begun';
  if (cell.state === 'infra') return 'infra';
  if (cell.state !== 'graded') return 'unfinished';
  return cell.outcome ?? (cell.resolved ? 'resolved' : 'never_fixed');
}

const MOST_NAME = 90;
const MOST_REASON = 170;
const MOST_UNMET = 3;

/** The middle is left out: names of tests differ at both ends. */
export function shortened(text: string, most = MOST_NAME): string {
  // Cut before it is taken apart: a hostile text may have megabytes.
  const near = text.length > 4 * most ? text.slice(0, 2 * most) + text.slice(-2 * most) : text;
  const signs = Array.from(near);
  if (signs.length <= most) return near.toWellFormed();
  const head = Math.ceil((most - 1) * 0.45);
  const tail = most - 1 - head;
  return `${signs.slice(0, head).join('')}…${signs.slice(-tail).join('')}`.toWellFormed();
}

export interface Reason {
  text: string;
  /** Tests that speak against the patch, shortened; of both lists, fixed ones first. */
  unmet: string[];
  more: number;
}

/** Why a cell is not solved, from its verdict; what names no tests says so in its own words. */
export function reasonOf(cell: RunCell): Reason {
  const { grading } = cell;
  const all = [...(grading?.failToPass?.unmet ?? []), ...(grading?.passToPass?.unmet ?? [])];
  // Without a patch that was judged, the tests say nothing that its outcome does not.
  const isJudged = cell.outcome !== 'empty' && cell.outcome !== 'not_applied';
  if (cell.state === 'graded' && isJudged && all.length > 0) {
    const unmet = all
      .slice(0, MOST_UNMET)
      .map(({ name, status }) => `${shortened(name)} ${status}`);
    return { text: countsOf(cell), unmet, more: all.length - unmet.length };
  }
  const said = grading?.infra?.detail ?? cell.detail ?? grading?.summary ?? '';
  return { text: shortened(oneLine(said), MOST_REASON), unmet: [], more: 0 };
}

function countsOf({ grading }: RunCell): string {
  const of = (list: { expected: number; met: number } | null | undefined, what: string) =>
    list === null || list === undefined ? [] : [`${list.met} of ${list.expected} ${what}`];
  const { failToPass, passToPass } = grading ?? {};
  return [...of(failToPass, 'to fix'), ...of(passToPass, 'to keep')].join(', ');
}

function oneLine(text: string): string {
  return text
    .slice(0, 4 * MOST_REASON)
    .replace(/\s+/g, ' ')
    .trim();
}
