import { REVIEW_FLAGS } from '../../contract/index.ts';
import { html, reportPage, type Html } from '../../lib/index.ts';
import { diffLines, type DiffLine } from './diff-lines.ts';
import { testRows, type ReportFacts, type TestRow } from './facts.ts';
import { DIFF_STYLE } from './html-style.ts';

/** More of a file's lines, or of tests, than this is for the patch itself, not for a reader. */
export const MAX_LINES = 20_000;
export const MAX_TESTS = 2000;

const NOTHING = html``;

/**
 * A report as one file for mail and archives: no script, nothing loaded, and a policy inside that
 * would forbid both. Everything foreign is escaped and shown with its hidden characters.
 */
export function htmlReport(facts: ReportFacts): Uint8Array {
  const body = html`
    <h1>${facts.title}</h1>
    ${headOf(facts)} ${section('Issue', html`<pre>${facts.issue}</pre>`)} ${finalMessage(facts)}
    ${verification(facts)} ${flags(facts)} ${notes(facts)} ${leftOut(facts)} ${changes(facts)}
    ${origin(facts)}
  `;
  return reportPage({ title: facts.title, style: DIFF_STYLE, body });
}

function section(title: string, body: Html): Html {
  return html`<section>
    <h2>${title}</h2>
    ${body}
  </section>`;
}

function headOf({ partial, exported, verification: verified }: ReportFacts): Html {
  const { files, insertions, deletions, sha256 } = exported;
  return html`<p>
      ${filesText(files.length)}, +${insertions} −${deletions}, patch sha256 <code>${sha256}</code>
    </p>
    ${verified === null ? html`<p>Not verified: no command was given.</p>` : html`<p class="${verified.passed ? 'good' : 'bad'}">${verified.summary}</p>`}
    ${partial === null ? NOTHING : html`<p class="warn">${partial}</p>`}
    <p>A proposal by a model. Review before use.</p>`;
}

function finalMessage({ finalMessage: message }: ReportFacts): Html {
  return message === null || message.trim() === ''
    ? NOTHING
    : section('What the model says', html`<pre>${message}</pre>`);
}

function verification({ verification: verified }: ReportFacts): Html {
  if (verified === null) return NOTHING;
  const rows = testRows(verified);
  const list = (title: string, names: readonly string[]): Html =>
    names.length === 0
      ? NOTHING
      : html`<p>${title}:</p>
          <ul>
            ${names.map((name) => html`<li><code>${name}</code></li>`)}
          </ul>`;
  const more = rows.length - MAX_TESTS;
  return section(
    'Verification',
    html`<p>By <code>${verified.command}</code></p>
      ${list('Put back before the run', verified.restored)} ${list('Broken', verified.regressions)}
      <table>
        <thead>
          <tr>
            <th scope="col">Test</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          ${[exitRow(verified.before.exitCode, verified.after.exitCode), ...rows.slice(0, MAX_TESTS)].map(testRow)}
        </tbody>
      </table>
      ${more > 0 ? html`<p>And ${more} more tests.</p>` : NOTHING}
      <details>
        <summary>Last output, with the patch</summary>
        <pre>${verified.after.outputTail}</pre>
      </details>`,
  );
}

function exitRow(before: number | null, after: number | null): TestRow {
  return { name: '(exit code)', before: String(before ?? '-'), after: String(after ?? '-') };
}

function testRow({ name, before, after }: TestRow): Html {
  return html`<tr>
    <td><code>${name}</code></td>
    <td>${before ?? '-'}</td>
    <td>${after ?? '-'}</td>
  </tr> `;
}

function flags({ exported }: ReportFacts): Html {
  if (exported.flags.length === 0) return NOTHING;
  const rows = exported.flags.map(
    ({ kind, path, line, detail }) =>
      html`<li><b>${REVIEW_FLAGS[kind]}</b>: <code>${place(path, line)}</code> ${detail}</li> `,
  );
  return section(
    'Look twice',
    html`<ul>
      ${rows}
    </ul>`,
  );
}

function place(path: string, line: number | null): string {
  return line === null ? path : `${path}:${line}`;
}

function notes({ notes: all }: ReportFacts): Html {
  if (all.length === 0) return NOTHING;
  const rows = all.map(
    ({ path, line, text, code }) =>
      html`<li>
        <code>${place(path, line)}</code>
        ${code === null ? NOTHING : html`<pre class="n">${code}</pre>`}
        <pre>${text}</pre>
      </li>`,
  );
  return section(
    'Notes',
    html`<ul>
      ${rows}
    </ul>`,
  );
}

function leftOut({ leftOut: paths, selection }: ReportFacts): Html {
  if (paths.length === 0 && selection.rejected.length === 0) return NOTHING;
  const rows = [
    ...selection.rejected.map(
      ({ path, header }) =>
        html`<li><code>${path}</code> <code>${header}</code> rejected in review</li>`,
    ),
    ...paths.map(({ path, reason }) => html`<li><code>${path}</code> ${reason}</li>`),
  ];
  return section(
    'Left out',
    html`<ul>
      ${rows}
    </ul>`,
  );
}

function changes({ files }: ReportFacts): Html {
  return section('Changes', html`${files.map(fileOf)}`);
}

function fileOf(part: ReportFacts['files'][number]): Html {
  const { hunks } = part;
  let left = MAX_LINES;
  const tables: Html[] = [];
  for (const hunk of hunks) {
    if (left <= 0) break;
    const lines = diffLines(hunk);
    tables.push(
      html`<tr class="h">
          <td></td>
          <td></td>
          <td>${hunk.header}</td>
        </tr>
        ${lines.slice(0, left).map(lineOf)}`,
    );
    left -= lines.length;
  }
  const about = part.about === '' ? NOTHING : html`<p>${part.about}</p>`;
  return html`<h3>
      <code>${part.oldPath === null ? part.path : `${part.oldPath} → ${part.path}`}</code>
      ${part.status}
    </h3>
    ${about}
    <table class="diff">
      <tbody>
        ${tables}
      </tbody>
    </table>
    ${left < 0 || tables.length < hunks.length ? html`<p class="warn">Cut here; the patch itself is whole.</p>` : NOTHING}`;
}

const CLASSES = { '+': 'a', '-': 'd', ' ': 'c', '\\': 'n' } as const;

function lineOf({ sign, oldLine, newLine, text }: DiffLine): Html {
  return html`<tr class="${CLASSES[sign]}">
    <td>${oldLine ?? ''}</td>
    <td>${newLine ?? ''}</td>
    <td>${sign}${text}</td>
  </tr> `;
}

function origin({ origin: rows, attempts }: ReportFacts): Html {
  return section(
    'Where it comes from',
    html`<table>
        <tbody>
          ${rows.map(
            ([name, value]) =>
              html`<tr>
                <th scope="row">${name}</th>
                <td><code>${value}</code></td>
              </tr>`,
          )}
        </tbody>
      </table>
      <h3>Attempts</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Attempt</th>
            <th scope="col">Seed</th>
            <th scope="col">Ended</th>
            <th scope="col">Steps</th>
            <th scope="col">Verified</th>
          </tr>
        </thead>
        <tbody>
          ${attempts.map(
            (one) =>
              html`<tr>
                <td>${one.number}</td>
                <td>${one.seed}</td>
                <td>${one.exitReason ?? 'running'}</td>
                <td>${one.steps}</td>
                <td>${verifiedText(one.verified)}</td>
              </tr>`,
          )}
        </tbody>
      </table>`,
  );
}

export function filesText(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

export function verifiedText(verified: boolean | null): string {
  if (verified === null) return 'not run';
  return verified ? 'passed' : 'failed';
}
