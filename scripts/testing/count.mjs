/** Adds up what several test runners report. */

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/** @type {Count} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0 };

/** @param {Count[]} counts @returns {Count} */
export function addCounts(counts) {
  return counts.reduce(
    (sum, next) => ({
      passed: sum.passed + next.passed,
      failed: sum.failed + next.failed,
      skipped: sum.skipped + next.skipped,
    }),
    NOTHING,
  );
}

/**
 * Reads the report of vitest's JSON reporter. What went wrong outside of any test (a file that does
 * not load, an error after the last test, a stage without a test, no report at all) is one failure.
 *
 * @param {string | undefined} report the JSON, undefined where none was written
 * @param {number} exitCode of the runner
 * @returns {Count}
 */
export function countVitest(report, exitCode) {
  /** @type {{ numPassedTests?: number, numFailedTests?: number, numPendingTests?: number,
   *   numTodoTests?: number }} */
  let found = {};
  try {
    found = JSON.parse(report ?? '{}');
  } catch {
    // A cut-off report counts as none.
  }
  const passed = found.numPassedTests ?? 0;
  const failed = found.numFailedTests ?? 0;
  const skipped = (found.numPendingTests ?? 0) + (found.numTodoTests ?? 0);
  const wentWrong = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: wentWrong ? 1 : failed, skipped };
}

/**
 * @param {Count} count
 * @returns {string} the last line of a test run
 */
export function closingLine({ passed, failed, skipped }) {
  return `tests: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}
