import type { RunEntry, RunSettings } from '../../contract/index.ts';
import { formatSize } from '../../lib/index.ts';
import { count, duration, plural, time } from './numbers.ts';
import type { ReportData } from './report-data.ts';
import { OWN_LIMIT } from './words.ts';

export type Fact = readonly [name: string, value: string];

/**
 * What was run, so that another could run it again. Folders of this machine are left out: a report is
 * mailed, and the hashes say what was in them.
 */
export function runFacts({ run, created, other }: ReportData): Fact[] {
  const { settings, seeds, tasksHash, tasksFolder } = created;
  const ended = run.finishedAt === null ? '' : `, ended ${time(run.finishedAt)}`;
  return [
    ['run', `${run.runId}, ${run.state}`],
    ['begun', `${time(run.createdAt)}${ended}`],
    ['task set', `${lastPart(tasksFolder)}, ${plural(created.tasks.length, 'task')}`],
    ['hash of the task set', tasksHash],
    ['seeds', seedsText(seeds)],
    ...settingFacts(settings),
    ...(other === null
      ? []
      : [['compared with', `${other.run.name}, ${other.run.runId}`] as const]),
    ...environmentFacts(created.environment),
  ];
}

function settingFacts(settings: RunSettings): Fact[] {
  const limit = (value: number, show: (value: number) => string) =>
    value === 0 ? OWN_LIMIT : show(value);
  const sampling = Object.entries(settings.sampling).map(
    ([name, value]) => `${name} ${typeof value === 'number' ? value : JSON.stringify(value)}`,
  );
  return [
    ...(settings.preset === null ? [] : [['preset', settings.preset] as const]),
    ['steps at most', limit(settings.maxSteps, count)],
    ['tokens of context at most', limit(settings.maxContextTokens, count)],
    ['tokens of a turn at most', limit(settings.maxTokensPerTurn, count)],
    [
      'time of an attempt at most',
      settings.timeLimitMs === 0 ? "each task's own" : duration(settings.timeLimitMs / 1000),
    ],
    ['sampling', sampling.length === 0 ? OWN_LIMIT : sampling.join(', ')],
    ['cells at a time', count(settings.workers)],
    ['further tries after infra failures', count(settings.infraRetries)],
  ];
}

function environmentFacts(environment: Readonly<Record<string, string>>): Fact[] {
  return Object.entries(environment).map(([name, value]) =>
    name === 'memoryBytes' && /^\d+$/.test(value)
      ? (['memory', formatSize(Number(value))] as const)
      : ([name, value] as const),
  );
}

export function entryFacts(entry: RunEntry): {
  model: string;
  source: string;
  scaffold: string;
  hash: string;
} {
  return {
    ...{ model: entry.modelName, source: shownModel(entry.model) },
    ...{ scaffold: entry.scaffoldName, hash: entry.scaffoldHash },
  };
}

/** A file is named without the folders that it lies in. */
export function shownModel(model: string): string {
  const kind = /^(gguf|script):/.exec(model)?.[0];
  return kind === undefined ? model : `${kind}${lastPart(model.slice(kind.length))}`;
}

export function lastPart(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

function seedsText(seeds: readonly number[]): string {
  const shown = seeds.slice(0, 20).join(', ');
  return seeds.length > 20 ? `${shown}, ... (${seeds.length})` : shown;
}
