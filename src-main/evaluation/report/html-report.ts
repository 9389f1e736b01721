import { html, reportPage } from '../../lib/index.ts';
import { comparisonSection } from './html-comparison.ts';
import { costSection } from './html-cost.ts';
import { failureSection } from './html-failures.ts';
import { methodSection, originSection } from './html-origin.ts';
import { sectionOf, type Section } from './html-parts.ts';
import { reasonSection } from './html-reasons.ts';
import { resultSection } from './html-result.ts';
import { RUN_STYLE } from './html-style.ts';
import { taskSection } from './html-tasks.ts';
import { plural, time } from './numbers.ts';
import type { ReportData } from './report-data.ts';
import { shortened } from './words.ts';

/**
 * The report of a run as one file for mail and archives: no script, nothing loaded, and a policy inside
 * that would forbid both. Everything foreign is escaped and shown with its hidden characters.
 */
export function htmlReport(data: ReportData): Uint8Array {
  const { run } = data;
  const sections = sectionsOf(data);
  const title = `Evaluation: ${shortened(run.name)}`;
  const body = html`
    <header>
      <h1>${title}</h1>
      <p class="soft">
        ${plural(run.tasks, 'task')} × ${plural(run.seeds, 'seed')} ×
        ${plural(run.entries.length, 'entry', 'entries')}, begun ${time(run.createdAt)}, run
        ${run.runId}
      </p>
    </header>
    <nav aria-label="Contents">
      <ul>
        ${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}
      </ul>
    </nav>
    <main>${sections.map(sectionOf)}</main>
  `;
  return reportPage({ title, style: RUN_STYLE, body });
}

function sectionsOf(data: ReportData): Section[] {
  const { body: reasons, linked } = reasonSection(data);
  const all: (Section | null)[] = [
    { id: 'result', title: 'Result', body: resultSection(data) },
    data.comparisons.length === 0
      ? null
      : { id: 'comparison', title: 'Comparison', body: comparisonSection(data.comparisons) },
    { id: 'cost', title: 'Cost', body: costSection(data.entries) },
    { id: 'failures', title: 'Failures', body: failureSection(data) },
    { id: 'tasks', title: 'Tasks by seed', body: taskSection(data, linked) },
    { id: 'reasons', title: 'Reasons, task by task', body: reasons },
    { id: 'origin', title: 'What was run', body: originSection(data) },
    { id: 'method', title: 'How the figures are computed', body: methodSection() },
  ];
  return all.filter((section) => section !== null);
}
