import { plural } from './units.ts';

/** Words of the attempts of a session side by side. */
export const attemptsText = {
  caption: 'Attempts side by side',
  none: 'No attempt yet',
  noneWords: 'The first attempt appears here when it starts.',
  attempt: 'Attempt',
  open: (number: number) => `Attempt ${number}`,
  show: (number: number) => `Show the steps of attempt ${number}`,
  isResult: 'result',
  state: 'How it ended',
  patch: 'Patch',
  files: (count: number) => plural(count, 'file'),
  flags: (count: number) => `${plural(count, 'thing')} worth a look`,
  noPatch: 'changed nothing',
  patchLater: 'when it has ended',
  verified: 'Verified',
  verifiedWords: { yes: 'yes', no: 'no', none: 'not run' },
  tests: (passing: number, all: number, fixed: number, regressions: number) =>
    [
      `${passing} of ${plural(all, 'test')} pass`,
      ...(fixed > 0 ? [`${fixed} fixed`] : []),
      ...(regressions > 0 ? [plural(regressions, 'regression')] : []),
    ].join(', '),
  seed: 'Seed',
  steps: 'Steps',
  time: 'Time',
  stepTimes: 'Time of each step',
  context: 'Context used',
  memory: 'Memory, workspace',
  peak: 'Peak memory',
  tokens: 'Tokens in, out',
  inOut: (input: string, output: string) => `${input}, ${output}`,
  cached: 'Cached',
  noFigures: 'none measured',
};
