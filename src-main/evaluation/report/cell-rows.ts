import type { RunCell } from '../../contract/index.ts';
import type { ReportData } from './report-data.ts';
import { markOf } from './words.ts';

/** What a data format says of one cell that was asked for; the same words in JSON and CSV. */
export interface CellRow {
  task: string;
  taskHash: string;
  entry: string;
  seed: number;
  /** `not_begun` for a cell without a record. */
  state: RunCell['state'] | 'not_begun';
  outcome: string | null;
  ending: string | null;
  resolved: boolean | null;
  reward: number | null;
  session: string | null;
  tries: number;
  steps: number | null;
  promptTokens: number | null;
  completionTokens: number | null;
  cachedTokens: number | null;
  modelSeconds: number | null;
  toolSeconds: number | null;
  totalSeconds: number | null;
  gradingSeconds: number | null;
  peakMemoryBytes: number | null;
  energyJoules: number | null;
  patchFiles: number | null;
  insertions: number | null;
  deletions: number | null;
  premature: boolean | null;
  suspicions: string[];
  infra: string | null;
  unmetFailToPass: string[];
  unmetPassToPass: string[];
  summary: string | null;
  label: string | null;
  note: string | null;
}

/** One for each cell that was asked for, by task, entry and seed. */
export function cellRows({ tasks, created }: ReportData): CellRow[] {
  return tasks.flatMap(({ task, hash, cells }) =>
    cells.flatMap((own, entry) =>
      own.map((cell, at) => ({
        ...{ task, taskHash: hash, entry: created.entries[entry]?.label ?? '' },
        ...{ seed: created.seeds[at] ?? 0, ...(cell === null ? NOT_BEGUN : begun(cell)) },
      })),
    ),
  );
}

type Begun = Omit<CellRow, 'task' | 'taskHash' | 'entry' | 'seed'>;

const NOT_BEGUN: Begun = {
  ...{ state: 'not_begun', outcome: null, ending: null, resolved: null, reward: null },
  ...{ session: null, tries: 0, steps: null, promptTokens: null, completionTokens: null },
  ...{ cachedTokens: null, modelSeconds: null, toolSeconds: null, totalSeconds: null },
  ...{ gradingSeconds: null, peakMemoryBytes: null, energyJoules: null, patchFiles: null },
  ...{ insertions: null, deletions: null, premature: null, suspicions: [], infra: null },
  ...{ unmetFailToPass: [], unmetPassToPass: [], summary: null, label: null, note: null },
};

function begun(cell: RunCell): Begun {
  const { state, ending, tries, steps, tokens, seconds, patch, grading, label } = cell;
  const mark = markOf(cell);
  return {
    ...{ state, ending, tries, steps, session: cell.sessionId, reward: cell.reward },
    outcome: mark === 'unfinished' || mark === 'not_begun' ? null : mark,
    // Without a verdict it is neither.
    resolved: state === 'graded' ? cell.resolved : null,
    ...{ promptTokens: tokens.prompt, completionTokens: tokens.completion },
    ...{ cachedTokens: tokens.cached, modelSeconds: toMs(seconds.model) },
    ...{ toolSeconds: toMs(seconds.tools), totalSeconds: toMs(seconds.total) },
    gradingSeconds: toMs(seconds.grading),
    ...{ peakMemoryBytes: cell.peakMemoryBytes, energyJoules: cell.energyJoules },
    ...{ patchFiles: patch.files, insertions: patch.insertions, deletions: patch.deletions },
    premature: cell.premature,
    suspicions: [...new Set(cell.suspicions.map(({ kind }) => kind))],
    infra: grading?.infra?.reason ?? null,
    unmetFailToPass: (grading?.failToPass?.unmet ?? []).map(({ name }) => name),
    unmetPassToPass: (grading?.passToPass?.unmet ?? []).map(({ name }) => name),
    summary: grading?.summary ?? cell.detail,
    ...{ label: label?.label ?? null, note: label?.note ?? null },
  };
}

/** Seconds to the millisecond: finer is noise. */
function toMs(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
