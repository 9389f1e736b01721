import type { Expectation, Grading } from '../../contract/index.ts';

/** One line for people. */
export function summaryOf(grading: Grading): string {
  if (!grading.applied) return 'Not resolved: the patch does not apply.';
  const verdict = grading.resolved ? 'Resolved' : 'Not resolved';
  const { failToPass, passToPass } = grading;
  if (failToPass !== null && passToPass !== null) {
    const parts = [
      `${failToPass.met} of ${failToPass.expected} expected tests pass${named(failToPass)}`,
      `${passToPass.met} of ${passToPass.expected} others still do${named(passToPass)}`,
    ];
    return `${verdict}: ${parts.join('; ')}.`;
  }
  if (grading.tests !== null) {
    const counts = Object.entries(grading.tests).map(
      ([status, count]) => `${count} ${status.toLowerCase()}`,
    );
    return `${verdict}: ${counts.join(', ')}.`;
  }
  const rewards = Object.entries(grading.rewards).map(([name, value]) => `${name} ${value}`);
  return `${verdict}: ${rewards.join(', ')}.`;
}

function named({ unmet }: Expectation): string {
  const [first] = unmet;
  if (first === undefined) return '';
  const name = first.name.length > 120 ? `${first.name.slice(0, 120)}...` : first.name;
  const more = unmet.length > 1 ? ', ...' : '';
  return ` (${name} ${first.status.toLowerCase()}${more})`;
}
