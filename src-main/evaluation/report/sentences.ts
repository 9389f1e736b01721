import type { ComparisonReport } from './comparisons.ts';
import type { EntryReport } from './entry-report.ts';
import { chance, count, percent, plural, points, range } from './numbers.ts';
import type { ReportData } from './report-data.ts';

/** How a foreign name stands in a sentence of ours. */
type Show = (name: string) => string;
const asItIs: Show = (name) => name;

const ALPHA = 0.05;
/** Fewer tasks than these are a try, not a measure. */
const FEW_TASKS = 30;

/** Fewer tasks cannot come below 5 % in the exact test, even when all of them differ the same way: 2 / 2^6. */
const LEAST_TO_TELL = 6;

/** `null` before anything has a verdict. */
export function resultSentence(
  { entry, statistics, pass1 }: EntryReport,
  show: Show = asItIs,
): string | null {
  const { runs, tasks, tasksWithout } = statistics;
  if (runs.valid === 0) return null;
  return `${show(entry.label)}: pass@1 ${percent(pass1.value)}, 95 % interval ${range(pass1)}, over ${plural(tasks - tasksWithout, 'task')} (${count(runs.solved)} of ${plural(runs.valid, 'run')} solved).`;
}

/** What a reader may take from a comparison, in one or two plain sentences. */
export function comparisonSentence(
  { a, b, result, adjustedP }: ComparisonReport,
  show: Show = asItIs,
): string {
  const { tasks, difference, p, smallest, needed } = result;
  if (tasks === 0)
    return `${show(a)} and ${show(b)} have no task in common with a verdict on both sides.`;
  const pair = `${show(b)} against ${show(a)}`;
  const value = Math.abs(difference.value);
  const shown = `${points(value).replace('+', '')} points`;
  if (value === 0) {
    return `${pair}: no difference was seen over ${plural(tasks, 'task')}. That does not show that they are equal${smallest === null || smallest === 0 || tasks < LEAST_TO_TELL ? '' : `: so many tasks can be expected to show ${percent(smallest).replace(' %', '')} points, not less`}.`;
  }
  const [winner, loser] = difference.value > 0 ? [show(b), show(a)] : [show(a), show(b)];
  if (tasks < LEAST_TO_TELL) {
    return `${pair}: the difference of ${shown} is over ${plural(tasks, 'task')}, and so few can show none: even if all of them differ the same way, it may be chance. At least ${LEAST_TO_TELL} that differ are needed.`;
  }
  if (p >= ALPHA) {
    const price =
      needed === null
        ? ''
        : ` About ${plural(Math.max(needed, LEAST_TO_TELL), 'task')} that differ as these do would be needed for it.`;
    const reach =
      smallest === null
        ? ''
        : ` (so many can be expected to show ${points(smallest).replace('+', '')} points)`;
    return `${pair}: the difference of ${shown} is too small to be told from chance with ${plural(tasks, 'task')}${reach}.${price}`;
  }
  const many =
    adjustedP >= ALPHA
      ? ` Among all comparisons of this report it may still be chance (p ${chance(adjustedP)} after Holm).`
      : '';
  return `${winner} solves ${shown} more than ${loser}; chance alone would give so much in ${p < 0.001 ? 'fewer than 1 of 1000' : `about ${Math.max(1, Math.round(p * 1000))} of 1000`} cases.${many}`;
}

/** What so many tasks can show at all. */
export function reachSentence(reach: NonNullable<ReportData['reach']>): string {
  const { tasks, seeds, flips, flipsMeasured, smallest, needed } = reach;
  const from = flipsMeasured
    ? `This takes the ${percent(flips)} of tasks that flip between two runs here.`
    : `This takes ${percent(flips)} of tasks to flip between two runs, as measured for a model of this kind on SWE-bench Verified; there are too few tasks here to measure it.`;
  const price = needed
    .map((one) => `${points(one.difference).replace('+', '')} points need ${count(one.tasks)}`)
    .join(', ');
  const so = `${plural(tasks, 'task')} with ${plural(seeds, 'seed')} a side can`;
  const can =
    tasks < LEAST_TO_TELL
      ? `${so} show no difference: with fewer than ${LEAST_TO_TELL} tasks everything may be chance`
      : `${so} be expected to show a difference of ${points(Math.min(1, smallest)).replace('+', '')} points`;
  return `${can}. With so many seeds, ${price} tasks. ${from}`;
}

/** What a reader must know before the figures; empty when there is nothing. */
export function warnings(data: ReportData, show: Show = asItIs): string[] {
  const { run, entries } = data;
  const found: string[] = [];
  if (run.state !== 'done')
    found.push(`The run is ${run.state}: the figures are of what has a verdict so far.`);
  const tasks = data.tasks.length;
  if (tasks < FEW_TASKS) {
    found.push(
      `${plural(tasks, 'task')} ${tasks === 1 ? 'is' : 'are'} few: intervals are wide, and with so few even they are rough.`,
    );
  }
  for (const { entry, statistics, bounds, planned, notBegun } of entries) {
    const { infra, unfinished, valid } = statistics.runs;
    const without = infra + unfinished + notBegun;
    if (without === 0) continue;
    const parts = [
      ...(infra > 0 ? [`${count(infra)} infra`] : []),
      ...(unfinished > 0 ? [`${count(unfinished)} unfinished`] : []),
      ...(notBegun > 0 ? [`${count(notBegun)} not begun`] : []),
    ];
    found.push(
      `${show(entry.label)}: ${count(without)} of ${plural(planned, 'cell')} have no verdict (${parts.join(', ')}) and count neither as solved nor as failed. ${
        valid === 0
          ? 'Nothing is known.'
          : `Whatever they would have come to, ${range(bounds)} % of all cells are solved.`
      }`,
    );
  }
  if (data.other !== null && data.other.differences.length > 0) {
    found.push(`The two runs were not run alike: ${data.other.differences.map(show).join('; ')}.`);
  }
  return found;
}

/** The smallest difference that the tasks of a comparison can be expected to show, for a table. */
export function canShow({ tasks, smallest }: ComparisonReport['result']): string {
  return smallest === null || tasks < LEAST_TO_TELL ? 'none' : percent(smallest);
}
