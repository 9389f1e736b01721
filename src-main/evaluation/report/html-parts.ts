import { html, type Html } from '../../lib/index.ts';

export const NOTHING = html``;

export interface Section {
  /** Our own word, for links within the report. */
  id: string;
  title: string;
  body: Html;
}

export function sectionOf({ id, title, body }: Section): Html {
  return html`<section id="${id}">
    <h2>${title}</h2>
    ${body}
  </section>`;
}

/** A column: its heading, and whether it holds figures. */
export type Column = readonly [heading: string, kind?: 'num'];

/** A table whose first column names the row. */
export function dataTable(
  caption: string | null,
  columns: readonly Column[],
  rows: readonly (readonly (string | Html)[])[],
): Html {
  return html`<div class="wide">
    <table class="data">
      ${
        caption === null
          ? NOTHING
          : html`<caption>
              ${caption}
            </caption>`
      }
      <thead>
        <tr>
          ${columns.map(([heading, kind]) => html`<th scope="col" class="${kind ?? ''}">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((value, at) => cellOf(value, at, columns[at]?.[1]))}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

function cellOf(value: string | Html, at: number, kind: Column[1]): Html {
  return at === 0
    ? html`<th scope="row">${value}</th>`
    : html`<td class="${kind ?? ''}">${value}</td>`;
}

export function note(texts: readonly string[]): Html {
  return texts.length === 0
    ? NOTHING
    : html`<div class="note">${texts.map((text) => html`<p>${text}</p>`)}</div>`;
}
