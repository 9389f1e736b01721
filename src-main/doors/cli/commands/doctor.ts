import type { DoctorRow } from '../../../contract/index.ts';
import type { Console } from '../console.ts';
import { jsonText, oneLine } from '../render/safe-text.ts';
import { renderTable } from '../render/table.ts';
import { withCore } from '../with-core.ts';

/** The rows as `vivarium doctor` prints them: a table, and below it what is to be done. */
export function renderDoctor(rows: readonly DoctorRow[], columns: number | null): string {
  const table = renderTable(
    ['STATE', 'WHAT', 'FOUND'],
    rows.map(({ state, name, found }) => [state, oneLine(name), oneLine(found)]),
    columns,
  );
  const todo = rows
    .filter(({ remedy }) => remedy !== null)
    .map(({ name, remedy, required }) => {
      const weight = required ? ' (required)' : '';
      return `${oneLine(name)}${weight}: ${oneLine(remedy ?? '')}\n`;
    });
  return todo.length === 0 ? table : `${table}\nTo do\n${todo.join('')}`;
}

/** `vivarium doctor`: 3 when something is missing that `fix` cannot run without. */
export async function doctor(console: Console, { json }: { json?: boolean }): Promise<number> {
  const rows = await withCore(console, ({ core }) => core.doctor());
  console.out(json ? jsonText(rows) : renderDoctor(rows, console.outColumns()));
  return rows.some(({ required, state }) => required && state === 'missing') ? 3 : 0;
}
