import { html, type Html } from '../../lib/index.ts';
import { entryFacts, runFacts } from './facts.ts';
import { dataTable } from './html-parts.ts';
import { METHOD, SOURCES } from './method.ts';
import type { ReportData } from './report-data.ts';

export function originSection(data: ReportData): Html {
  return html`<h3>Entries</h3>
    ${dataTable(
      null,
      [['Entry'], ['Model'], ['Asked for as'], ['Scaffold'], ['Hash of the scaffold']],
      data.created.entries.map((entry) => {
        const { model, source, scaffold, hash } = entryFacts(entry);
        return [entry.label, model, source, scaffold, html`<code class="hash">${hash}</code>`];
      }),
    )}
    <h3>Tasks, limits, machine</h3>
    <table class="facts">
      <tbody>
        ${runFacts(data).map(
          ([name, value]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

export function methodSection(): Html {
  return html`<dl class="say">
      ${METHOD.map(
        ({ figure, text, sources }) =>
          html`<dt><b>${figure}</b></dt>
            <dd>${text}${sources.length === 0 ? '' : ` [${sources.join(', ')}]`}</dd>`,
      )}
    </dl>
    <ol class="say soft">
      ${SOURCES.map((source) => html`<li>${source}</li>`)}
    </ol>`;
}
