import type { DoctorRow } from '../../../src-main/contract/index.ts';
import { environmentText } from '../../text/en/environment.ts';

/** What a button beside a row of the doctor can do here. */
export type CheckAction =
  | { kind: 'build' }
  | { kind: 'clean' }
  | { kind: 'models' }
  | { kind: 'model'; name: string };

/** Rows that ask for something first, then those that are fine; each group as it came. */
export function sortedChecks(rows: readonly DoctorRow[]): DoctorRow[] {
  return rows.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ state, required }: DoctorRow): number {
  if (state === 'missing' && required) return 0;
  if (state !== 'ok' && required) return 1;
  return state === 'ok' ? 3 : 2;
}

export interface CheckCounts {
  /** Needed by a fix, and missing. */
  missing: number;
  /** Others that are not fine. */
  rest: number;
}

export function checkCounts(rows: readonly DoctorRow[]): CheckCounts {
  const isMissing = (row: DoctorRow) => row.required && row.state === 'missing';
  return {
    missing: rows.filter(isMissing).length,
    rest: rows.filter((row) => row.state !== 'ok' && !isMissing(row)).length,
  };
}

/** A row's name as people write it; what follows the first word is the name of something. */
export function checkWords(name: string): string {
  const { names, kinds } = environmentText.checks;
  const [kind = '', ...rest] = name.split(' ');
  const thing = rest.join(' ');
  if (thing === '') return names[name] ?? name;
  return kind === 'engine' || kind === 'gpu' || kind === 'model' ? kinds[kind](thing) : name;
}

/** What we can do about a row that is not fine; `null` = only the person can. */
export function checkAction({ name, state }: DoctorRow): CheckAction | null {
  if (state === 'ok') return null;
  if (name === 'image') return { kind: 'build' };
  if (name === 'disk') return { kind: 'clean' };
  if (name === 'memory') return { kind: 'models' };
  const model = /^model (.+)$/.exec(name)?.[1] ?? /^engine .* \(of ([^,)]+)[,)]/.exec(name)?.[1];
  return model === undefined ? null : { kind: 'model', name: model };
}
