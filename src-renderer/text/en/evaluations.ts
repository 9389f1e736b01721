import { counted, plural } from './units.ts';

/** Words of the list of runs. */
export const evaluationsText = {
  title: 'Evaluations',
  list: 'Runs',
  loading: 'Reading the runs…',
  count: (runs: number) => plural(runs, 'run'),
  running: (runs: number) => `${counted(runs)} running`,
  columns: {
    state: 'State',
    name: 'Run',
    size: 'Tasks × seeds',
    progress: 'With a verdict',
    solved: 'Solved',
    aside: 'No verdict',
    age: 'Begun',
  },
  size: (tasks: number, seeds: number) => `${counted(tasks)} × ${counted(seeds)}`,
  of: (part: number, whole: number) => `${counted(part)} of ${counted(whole)}`,
  /** 95 %, over tasks. */
  interval: (low: string, high: string) => `${low} to ${high}`,
  solvedTitle: (solved: number, graded: number) =>
    `${counted(solved)} of ${plural(graded, 'attempt')} with a verdict; 95 % interval over tasks`,
  none: '–',
  empty: {
    title: 'No evaluation yet',
    words:
      'A run gives tasks with known verdicts to one or more models, several times each, and says what they solve, what they break, and what a difference between them means. Start one here, or in a terminal:',
    command:
      'vivarium eval run --tasks resources/tasks/demo --model script:resources/tasks/demo/replies/careful.jsonl --seeds 3',
    copy: 'Copy the command',
  },
  gone: {
    title: (run: string) => `There is no run ${run}`,
    words: 'It may be in another data folder, or its name was cut short.',
    back: 'All runs',
  },
  start: {
    action: 'New run',
    title: 'Run an evaluation',
    tasks: 'Tasks',
    tasksHint: 'A folder of task directories, or the name of a preset such as swe-bench-verified.',
    model: 'Model',
    modelHint: 'Several with commas between.',
    scaffoldHint: 'Empty: the one each model was trained with. Several with commas between.',
    seeds: 'Seeds',
    seedsHint: 'Attempts at each task: more of them narrow the interval.',
    workers: 'Attempts at once',
    limit: 'Only the first tasks',
    limitHint: 'Empty: all.',
    name: 'Name',
    go: 'Start the run',
    starting: 'Looking at tasks and images…',
    cancel: 'Cancel',
  },
};
