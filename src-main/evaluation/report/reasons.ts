import type { RunCell } from '../../contract/index.ts';
import { count } from './numbers.ts';
import type { ReportData, TaskRow } from './report-data.ts';
import {
  ENDING_WORDS,
  OUTCOME_WORDS,
  reasonOf,
  shortened,
  SUSPICION_WORDS,
  type Reason,
} from './words.ts';

/** One line of the list of reasons: a cell, or several seeds of an entry of which the same is to be said. */
export interface CellReason {
  task: string;
  /** Empty in a run of one entry. */
  entry: string;
  seeds: string;
  outcome: string;
  steps: string;
  reason: Reason;
  /** Premature ending and suspicions, one a line. */
  extra: string[];
  label: { label: string; note: string } | null;
}

const MOST_SUSPICIONS = 3;

/** A solved cell of which there is nothing to say has no line, and one that never began has none. */
export function taskReasons(
  { task, cells }: TaskRow,
  created: ReportData['created'],
): CellReason[] {
  return cells.flatMap((own, entry) => {
    const label = created.entries.length > 1 ? (created.entries[entry]?.label ?? '') : '';
    const worth = own.filter((cell) => cell !== null).filter(isWorthALine);
    const lines = worth.map((cell) => ({ cell, line: lineOf(shortened(task), label, cell) }));
    const alike = Map.groupBy(lines, ({ line }) => JSON.stringify(line));
    return [...alike.values()].map((group) => ({
      // `groupBy` makes no group without a member.
      ...(group[0] as (typeof lines)[number]).line,
      seeds: `seed${group.length > 1 ? 's' : ''} ${group.map(({ cell }) => cell.seed).join(', ')}`,
      steps: [...new Set(group.map(({ cell }) => count(cell.steps)))].join(', '),
    }));
  });
}

function isWorthALine(cell: RunCell): boolean {
  const isSolved = cell.state === 'graded' && cell.resolved;
  return !isSolved || cell.premature || cell.suspicions.length > 0 || cell.label !== null;
}

function lineOf(task: string, entry: string, cell: RunCell): CellReason {
  const { outcome, ending, state, label } = cell;
  return {
    ...{ task, entry, seeds: '', steps: '' },
    outcome: [
      outcome === null ? `no verdict, ${state}` : OUTCOME_WORDS[outcome],
      ...(ending === null || (outcome === 'infra' && ending === 'infra')
        ? []
        : [ENDING_WORDS[ending]]),
    ].join('; '),
    reason:
      cell.state === 'graded' && cell.resolved ? { text: '', unmet: [], more: 0 } : reasonOf(cell),
    extra: extraOf(cell),
    label:
      label === null ? null : { label: shortened(label.label), note: shortened(label.note, 500) },
  };
}

function extraOf({ premature, suspicions }: RunCell): string[] {
  const more = suspicions.length - MOST_SUSPICIONS;
  return [
    ...(premature ? ['premature: answered without a change, or without a look at it'] : []),
    ...suspicions
      .slice(0, MOST_SUSPICIONS)
      .map(
        ({ kind, step, evidence }) =>
          `${SUSPICION_WORDS[kind]}, step ${step}: ${shortened(evidence)}`,
      ),
    ...(more > 0 ? [`and ${more} more suspicions`] : []),
  ];
}
