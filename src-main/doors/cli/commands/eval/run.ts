import type { Core, EvalOptions, RunDetails } from '../../../../core/index.ts';
import type { Console } from '../../console.ts';
import { required, stoppedError } from '../../failure.ts';
import { watchEval } from '../../progress/eval-watch.ts';
import { renderRun } from '../../render/eval.ts';
import { jsonText } from '../../render/safe-text.ts';
import { withCore } from '../../with-core.ts';

export interface RunEvalOptions {
  tasks?: string;
  data?: string;
  model?: string[];
  scaffold?: string[];
  seeds?: number[];
  workers?: number;
  only?: string[];
  limit?: number;
  name?: string;
  maxSteps?: number;
  maxContext?: number;
  maxTokens?: number;
  timeLimit?: number;
  temperature?: number;
  infraRetries?: number;
  recordTokens?: boolean;
  resume?: string;
  retryInfra?: boolean;
  json?: boolean;
}

type Begin = (core: Core, options: EvalOptions) => Promise<RunDetails>;

function beginOf(options: RunEvalOptions): Begin {
  const { resume, workers, retryInfra } = options;
  if (resume !== undefined) {
    return (core, watching) =>
      core.evaluations.resume(resume, { ...watching, workers, retryInfra });
  }
  const tasks = required(
    options.tasks,
    'there are no tasks to run',
    'Name a folder of tasks or a preset with --tasks.',
  );
  const [first, ...others] = options.model ?? [];
  const model = required(
    first,
    'there is no model to evaluate',
    'Name one with --model: a name of `vivarium models list`, gguf:FILE, script:FILE or http://HOST:PORT/v1#NAME.',
  );
  const { data, seeds, only, limit, name, maxSteps, maxContext } = options;
  const { temperature, infraRetries, recordTokens } = options;
  return (core, watching) =>
    core.evaluations.run(
      {
        ...{ tasks, data, seeds, workers, only, limit, name, maxSteps, maxContext },
        ...{ temperature, infraRetries, recordTokens },
        models: [model, ...others],
        scaffolds: options.scaffold ?? [],
        maxTokensPerTurn: options.maxTokens,
        timeLimitSeconds: options.timeLimit,
      },
      watching,
    );
}

/** `vivarium eval run`: progress on stderr, the table on stdout. */
export async function runEval(console: Console, options: RunEvalOptions): Promise<number> {
  const begin = beginOf(options);
  const shown = watchEval(console);
  let runId: string | null = null;
  const goOn = () => `go on with: vivarium eval run --resume ${runId ?? 'RUN'}`;
  try {
    const details = await withCore(
      console,
      async ({ core, signal }) => {
        try {
          return await begin(core, {
            signal,
            onProgress: shown.onProgress,
            onPhase: shown.say,
            onNote: (text) => shown.say(`note: ${text}`),
            onRecorded: (id) => {
              runId = id;
              shown.say(`run ${id}`);
            },
          });
        } catch (thrown) {
          throw signal.aborted
            ? stoppedError('Run the command again to start over.', thrown)
            : thrown;
        }
      },
      {
        onStop: () =>
          shown.say('stopping: what runs is recorded as stopped; Ctrl-C again ends at once'),
        onKill: () => {
          if (runId !== null) shown.say(`ended; ${goOn()}`);
          shown.end();
        },
      },
    );
    shown.end();
    console.out(options.json ? jsonText(details) : renderRun(details, console.outColumns()));
    if (details.run.state === 'stopped') {
      console.err(`stopped; ${goOn()}\n`);
      return 1;
    }
    const { infra } = details.run.cells;
    if (infra === 0) return 0;
    console.err(`${infra} without a verdict, see the table; ${goOn()} --retry-infra\n`);
    return 3;
  } finally {
    shown.end();
  }
}
