/** The stages of a test run, fast ones first. */

/**
 * @typedef {object} Check a program that is one test: passed when it exits with 0
 * @property {string} title
 * @property {string} program in `node_modules/.bin`, or `node`
 * @property {string[]} args
 */

/** @type {Check[]} */
export const CHECKS = [
  { title: 'format', program: 'oxfmt', args: ['--check', '.'] },
  { title: 'lint', program: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { title: 'types', program: 'tsc', args: [] },
  { title: 'types of the renderer', program: 'tsc', args: ['-p', 'src-renderer'] },
  { title: 'unused code', program: 'knip', args: [] },
  { title: 'import rules', program: 'node', args: ['scripts/check-imports.mjs'] },
  { title: 'bundle', program: 'electron-vite', args: ['build', '--logLevel', 'warn'] },
];

/** Projects of vitest.config.ts; one after the other, so that they do not fight for the cores. */
export const PROJECTS = /** @type {const} */ (['unit', 'docker', 'app', 'model', 'real', 'vllm']);

/** @typedef {'checks' | typeof PROJECTS[number]} StageName */

/** @type {StageName[]} */
export const STAGES = ['checks', ...PROJECTS];

/**
 * @param {string[]} args of the command line
 * @returns {{ stages: StageName[], rest: string[], chosen: boolean } | undefined} undefined for wrong
 *   usage; `rest` goes to vitest; `chosen`: the stages were named
 */
export function parseStages(args) {
  if (args[0] !== '--only')
    return args[0]?.startsWith('-') ? undefined : { stages: STAGES, rest: args, chosen: false };
  const wanted = (args[1] ?? '').split(',');
  if (!wanted.every((name) => STAGES.some((stage) => stage === name))) return undefined;
  const stages = STAGES.filter((stage) => wanted.includes(stage));
  return { stages, rest: args.slice(2), chosen: true };
}
