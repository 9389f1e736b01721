import type { RunCell } from '../../../contract/index.ts';
import { entryStatistics } from '../../statistics/index.ts';
import { entryName } from '../places.ts';
import type { ExportSource } from '../types.ts';

/** An entry of a run as trackers of experiments take it: names with numbers. */
export interface EntryFigures {
  entry: number;
  /** Of the tracker's run. */
  name: string;
  parameters: Readonly<Record<string, string>>;
  /** What the entry came to; figures that nobody knows are left out. */
  totals: Readonly<Record<string, number>>;
  /** One for each cell that has its verdict, in order. */
  cells: readonly { at: number; figures: Readonly<Record<string, number>> }[];
}

export function figuresOf(source: ExportSource): EntryFigures[] {
  return source.created.entries.map((_, entry) => {
    const cells = source.cells.filter((cell) => cell.entry === entry);
    return {
      entry,
      name: `${source.run.name} ${entryName(source, entry)}`,
      parameters: parametersOf(source, entry),
      totals: totalsOf(cells),
      cells: cells
        .filter(({ state }) => state === 'graded')
        .map((cell) => ({ at: cell.finishedAt ?? cell.startedAt, figures: cellFigures(cell) })),
    };
  });
}

function parametersOf({ run, created }: ExportSource, entry: number): Record<string, string> {
  const { modelName, scaffoldName, scaffoldHash } = created.entries[entry] ?? {
    ...{ modelName: '?', scaffoldName: '?', scaffoldHash: '?' },
  };
  const { settings } = created;
  return {
    ...{ run: run.runId, dataset: run.name, tasks_hash: created.tasksHash },
    ...{ tasks: String(created.tasks.length), seeds: created.seeds.join(',') },
    ...{ model: modelName, scaffold: scaffoldName, scaffold_hash: scaffoldHash },
    max_steps: String(settings.maxSteps),
    max_context_tokens: String(settings.maxContextTokens),
    max_tokens_per_turn: String(settings.maxTokensPerTurn),
    time_limit_ms: String(settings.timeLimitMs),
    sampling: JSON.stringify(settings.sampling),
    workers: String(settings.workers),
    preset: settings.preset ?? '',
  };
}

function totalsOf(cells: readonly RunCell[]): Record<string, number> {
  const of = entryStatistics(cells);
  const { steps, tokens, seconds } = of;
  return known({
    ...{ pass_1: of.pass1.value, pass_1_low: of.pass1.low, pass_1_high: of.pass1.high },
    ...Object.fromEntries(of.passAt.map(({ k, value }) => [`pass_at_${k}`, value])),
    ...Object.fromEntries(of.passHat.map(({ k, value }) => [`pass_hat_${k}`, value])),
    ...{ tasks: of.tasks, flips: of.flips },
    ...{ runs_valid: of.runs.valid, runs_solved: of.runs.solved },
    ...{ runs_infra: of.runs.infra, runs_unfinished: of.runs.unfinished },
    ...{ steps_p50: steps.p50, steps_p90: steps.p90 },
    ...{ prompt_tokens: tokens.prompt.sum, completion_tokens: tokens.completion.sum },
    ...{ cached_share: tokens.cachedShare, seconds_p50: seconds.total.p50 },
    ...{ seconds_sum: seconds.total.sum, model_seconds_sum: seconds.model.sum },
  });
}

function cellFigures(cell: RunCell): Record<string, number> {
  return known({
    ...{ resolved: Number(cell.resolved), reward: cell.reward, seed: cell.seed },
    ...{ steps: cell.steps, seconds: cell.seconds.total },
    ...{ prompt_tokens: cell.tokens.prompt, completion_tokens: cell.tokens.completion },
  });
}

function known(figures: Readonly<Record<string, number | null>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(figures).filter(
      (pair): pair is [string, number] => pair[1] !== null && Number.isFinite(pair[1]),
    ),
  );
}
