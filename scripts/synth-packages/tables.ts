import type { SynthReport } from '../../src-main/core/index.ts';

/** What `vivarium tasks synth` made of one package on one machine. */
export interface Measured {
  package: string;
  version: string;
  /** Day of the measurement, `2026-01-31`. */
  day: string;
  command: string;
  seed: number;
  reruns: number;
  /** Tests that pass every time without a bug. */
  steady: number;
  /** Files of which tests run lines; `null` = not known. */
  coveredFiles: number | null;
  cores: number;
  /** Mean load of the last minute, looked at every ten seconds. */
  load: number;
  report: SynthReport;
}

/** One line a package, and one a mutator over all of them; Markdown. */
export function tablesOf(all: readonly Measured[]): string {
  return [packageTable, flakyTests, mutatorTable, refusalTable]
    .map((part) => part(all))
    .filter((text) => text !== '')
    .join('\n');
}

function packageTable(all: readonly Measured[]): string {
  const heading = [
    ...['package', 'steady tests', 'flaky', 'tried', 'valid', 'share', 'seconds'],
    ...['workers', 'valid an hour and core', 'time in tests', 'load', 'day'],
  ];
  const rows = all.map(({ package: name, version, steady, cores, load, day, report }) => {
    const { tried, validated, seconds, tasksAnHourPerWorker, testShare, workers, flaky } = report;
    return [
      ...[`${name} ${version}`, steady, flaky.length],
      ...[tried, validated, share(validated, tried), Math.round(seconds), workers],
      ((tasksAnHourPerWorker * workers) / Math.min(workers, cores)).toFixed(0),
      ...[share(testShare, 1), load.toFixed(1), day],
    ];
  });
  return table(heading, rows);
}

function flakyTests(all: readonly Measured[]): string {
  return all
    .filter(({ report }) => report.flaky.length > 0)
    .map(({ package: name, report }) => {
      const tests = report.flaky.map((test) => `\`${test}\``).join(', ');
      return `Flaky in ${name}, on no list of tests: ${tests}.\n`;
    })
    .join('\n');
}

function mutatorTable(all: readonly Measured[]): string {
  return table(
    ['mutator', 'tried', 'valid', 'share'],
    summed(
      all.flatMap(({ report }) => report.byMethod),
      ({ method }) => method,
      ({ tried, validated }) => [tried, validated],
    ).map(([method, [tried = 0, valid = 0]]) => [method, tried, valid, share(valid, tried)]),
  );
}

function refusalTable(all: readonly Measured[]): string {
  const refused = summed(
    all.flatMap(({ report }) => report.refusals),
    ({ refusal }) => refusal,
    ({ count }) => [count],
  );
  return table(
    ['refused for', 'candidates'],
    refused.map(([refusal, [count = 0]]) => [refusal, count]),
  );
}

/** Sums by name, sorted by it. */
function summed<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  numbersOf: (row: Row) => number[],
): [string, number[]][] {
  const sums = new Map<string, number[]>();
  for (const row of rows) {
    const before = sums.get(nameOf(row)) ?? [];
    sums.set(
      nameOf(row),
      numbersOf(row).map((number, at) => number + (before[at] ?? 0)),
    );
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function share(part: number, of: number): string {
  return of === 0 ? '-' : `${Math.round((100 * part) / of)} %`;
}

function table(
  heading: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;
  return line(heading) + line(heading.map(() => '---')) + rows.map(line).join('');
}
