/** Whether the tests against a real vLLM run, and what is said where they do not. */

const MINUTE_MS = 60_000;

/** A CI run that takes longer is of no use to the one who waits for it. */
const CI_LIMIT_MINUTES = 45;

/** Making the environment takes 2 to 4 minutes; a slow network gets some more. */
const MAKING_MINUTES = 6;

/** Over 15 on a loaded machine of 2 cores, where it was not seen to its end in one go. */
const SUITE_MINUTES = 25;

/**
 * @typedef {object} Situation
 * @property {string | undefined} missing why the environment cannot be used, undefined when it can
 * @property {boolean} chosen whether someone named this stage
 * @property {boolean} inCi
 * @property {number} elapsedMs since the whole test run began
 */

/**
 * @param {Situation} situation
 * @returns {{ run: true, make: boolean } | { run: false, why: string }} `make`: the environment has
 *   to be made first; `why`: one line for the person who reads the output
 */
export function decideVllm({ missing, chosen, inCi, elapsedMs }) {
  const make = missing !== undefined;
  if (chosen) return { run: true, make };
  if (!inCi) return make ? { run: false, why: notHere(missing) } : { run: true, make: false };
  const needed = SUITE_MINUTES + (make ? MAKING_MINUTES : 0);
  const elapsed = elapsedMs / MINUTE_MS;
  if (elapsed + needed <= CI_LIMIT_MINUTES) return { run: true, make };
  return {
    run: false,
    why:
      `vllm: SKIPPED, ${Math.round(elapsed)} minutes are gone and these tests may take ${needed} ` +
      `more; the limit of a CI run is ${CI_LIMIT_MINUTES}. Run them alone: npm run test:vllm`,
  };
}

/** @param {string} missing */
function notHere(missing) {
  return (
    `vllm: SKIPPED, there is no vLLM to test against (${missing}). ` +
    'Make it (5 GB, about 3 minutes): scripts/vllm-cpu.sh'
  );
}

/**
 * @param {string | undefined} listed what `vitest list --json` wrote
 * @param {number} exitCode of it
 * @returns {import('./count.mjs').Count} all as skipped; files that do not load are one failure
 */
export function countSkipped(listed, exitCode) {
  try {
    const tests = JSON.parse(listed ?? '');
    if (exitCode === 0 && Array.isArray(tests)) {
      return { passed: 0, failed: 0, skipped: tests.length };
    }
  } catch {
    // No list: as below.
  }
  return { passed: 0, failed: 1, skipped: 0 };
}
