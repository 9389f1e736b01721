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

/** Lines of a failure's message that are shown again. */
const MESSAGE_LINES = 4;

/**
 * Names and first lines of what failed: a log whose beginning is cut still tells. Files that do not
 * load stand with their path alone.
 *
 * @param {string | undefined} report as for `countVitest`
 * @returns {string[]}
 */
export function failuresOf(report) {
  /** @type {{ testResults?: { name: string, status: string, message?: string,
   *   assertionResults: { fullName: string, status: string, failureMessages?: string[] }[] }[] }} */
  let found = {};
  try {
    found = JSON.parse(report ?? '{}');
  } catch {
    return [];
  }
  return (found.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [`${name}\n${firstLines(message)}`] : [];
    return failed.map(
      (each) => `${name}: ${each.fullName}\n${firstLines(each.failureMessages?.join('\n'))}`,
    );
  });
}

/** @param {string | undefined} text */
function firstLines(text = '') {
  const lines = text.split('\n').slice(0, MESSAGE_LINES);
  return lines.map((line) => `    ${line}`).join('\n');
}

/**
 * @param {Count} count
 * @returns {string} the last line of a test run
 */
export function closingLine({ passed, failed, skipped }) {
  return `tests: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}
