import type { Grading } from '../../contract/index.ts';
import { logOf } from '../grading/evidence-of.ts';
import { infraSign } from '../grading/infra-signs.ts';
import type { Graded } from '../grading/types.ts';

/**
 * What is known of why the fix does not pass, beyond names of tests: not one of them is collected, the
 * log speaks of a network or module that is not there. None for a fix that passes.
 */
export function fixSigns(runs: readonly Graded[]): string[] {
  const failed = runs.find(
    ({ grading }) => grading.state === 'graded' && grading.applied && !grading.resolved,
  );
  if (failed === undefined) return [];
  const found: string[] = [];
  if (collectsNone(failed.grading)) found.push('no test on its lists leaves a result with the fix');
  const sign = infraSign(logOf(failed));
  if (sign !== undefined) found.push(`with the fix the log says: ${sign.line}`);
  return found;
}

function collectsNone({ failToPass, passToPass }: Grading): boolean {
  const unmet = [...(failToPass?.unmet ?? []), ...(passToPass?.unmet ?? [])];
  const met = (failToPass?.met ?? 0) + (passToPass?.met ?? 0);
  return met === 0 && unmet.length > 0 && unmet.every(({ status }) => status === 'MISSING');
}
