import type { DoctorRow } from '../../../contract/index.ts';
import type { Console } from '../console.ts';
import { jsonText, oneLine } from '../render/safe-text.ts';
import { renderTable } from '../render/table.ts';
import { withCore } from '../with-core.ts';

/** What can be done about rows that are required, or about those that are not. */
function remedies(title: string, rows: readonly DoctorRow[], required: boolean): string {
  const lines = rows
    .filter((row) => row.required === required && row.remedy !== null)
    .map(({ name, remedy }) => `${oneLine(name)}: ${oneLine(remedy ?? '')}\n`);
  return lines.length === 0 ? '' : `\n${title}\n${lines.join('')}`;
}

/** The rows as `vivarium doctor` prints them: a table, and below it what is to be done. */
export function renderDoctor(rows: readonly DoctorRow[], columns: number | null): string {
  const table = renderTable(
    ['STATE', 'WHAT', 'FOUND'],
    rows.map(({ state, name, found }) => [state, oneLine(name), oneLine(found)]),
    columns,
  );
  return table + remedies('To do', rows, true) + remedies('Not needed, but possible', rows, false);
}

/** `vivarium doctor`: 3 when something is missing that `fix` cannot run without. */
export async function doctor(console: Console, { json }: { json?: boolean }): Promise<number> {
  const rows = await withCore(console, ({ core }) => core.doctor());
  console.out(json ? jsonText(rows) : renderDoctor(rows, console.outColumns()));
  return rows.some(({ required, state }) => required && state === 'missing') ? 3 : 0;
}
