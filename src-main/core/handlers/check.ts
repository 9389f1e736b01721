import type { CheckRow, NewFix, OutputOf } from '../../contract/index.ts';
import { withHome } from '../../lib/index.ts';
import type { Environment } from '../environment.ts';

/** What is missing before such a fix can start; starts none. */
export async function checkFix(
  environment: Environment,
  fix: Partial<NewFix>,
  signal: AbortSignal,
): Promise<OutputOf<'sessions/check'>> {
  const { repository } = fix;
  const asked = { ...fix, ...(repository !== undefined && { repository: withHome(repository) }) };
  const { checkRows } = await import('../check-fix.ts');
  const rows: CheckRow[] = await checkRows(environment, asked, signal);
  return { rows, ready: rows.every(({ state }) => state !== 'missing') };
}
