/**
 * What a set-up step prints, and the one error that ends set-up.
 * Built from Node's own modules only: it runs before anything is installed.
 */
import process from 'node:process';

/** Exit code of every failure that the machine, not the code, has to answer for. */
export const EXIT_ENVIRONMENT = 3;

/** A fault of the machine: what is wrong, and the exact thing to do about it. */
export class EnvironmentProblem extends Error {
  /**
   * @param {string} message one line: the cause
   * @param {string[]} remedy the commands or sentences that help, one a line
   * @param {unknown} [cause]
   */
  constructor(message, remedy, cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EnvironmentProblem';
    this.remedy = remedy;
  }
}

/**
 * @typedef {object} Step
 * @property {(detail: string) => void} update replaces the running detail (a counter, a count of MB)
 * @property {(detail?: string) => void} done ends the line
 */

/** Seconds between two progress lines where the output is no terminal. */
const PLAIN_PROGRESS_MS = 5000;

/**
 * One line a step on stderr. In a terminal the line is redrawn in place; elsewhere a long step
 * says every few seconds how far it is.
 *
 * @param {NodeJS.WriteStream} [out]
 */
export function createReporter(out = process.stderr) {
  /** @param {string} title @returns {Step} */
  function begin(title) {
    const startedAt = performance.now();
    let lastPlain = startedAt;
    if (out.isTTY) out.write(`  ${title} ...`);
    return {
      update(detail) {
        if (out.isTTY) {
          out.write(`\r\x1b[K  ${title} ... ${detail}`);
        } else if (performance.now() - lastPlain > PLAIN_PROGRESS_MS) {
          lastPlain = performance.now();
          out.write(`  ${title} ... ${detail}\n`);
        }
      },
      done(detail = 'ok') {
        const seconds = (performance.now() - startedAt) / 1000;
        const took = seconds < 0.5 ? '' : ` (${seconds.toFixed(1)} s)`;
        out.write(`${out.isTTY ? '\r\x1b[K' : ''}  ${title}: ${detail}${took}\n`);
      },
    };
  }
  /** @param {string} text @returns {void} */
  const line = (text) => {
    out.write(`${text}\n`);
  };
  return { begin, line };
}

/** @typedef {ReturnType<typeof createReporter>} Reporter */

/**
 * Prints a problem as cause and remedy and returns the exit code.
 *
 * @param {unknown} thrown
 * @param {Reporter} reporter
 * @returns {number}
 */
export function explain(thrown, reporter) {
  if (!(thrown instanceof EnvironmentProblem)) {
    reporter.line(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    return 1;
  }
  reporter.line(`\nSet-up stopped: ${thrown.message}`);
  for (const line of thrown.remedy) reporter.line(`  ${line}`);
  return EXIT_ENVIRONMENT;
}
