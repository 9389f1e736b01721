import path from 'node:path';
import type { Core, ImportRequest, TaskFormat } from '../../../../core/index.ts';
import type { Console } from '../../console.ts';
import { required, stoppedError } from '../../failure.ts';
import { readIssue } from '../../read-issue.ts';
import { jsonText, oneLine, pathText } from '../../render/safe-text.ts';
import { renderFound, renderRefused, renderWritten } from '../../render/tasks.ts';
import { withCore, type CoreUse } from '../../with-core.ts';

/** Runs what can be stopped by Ctrl-C; what was written until then stays. */
export async function stoppable<T>(
  console: Console,
  action: (use: CoreUse) => Promise<T>,
): Promise<T> {
  return withCore(
    console,
    async (use) => {
      try {
        return await action(use);
      } catch (error) {
        const next = 'What was done until then is kept; run the command again for the rest.';
        throw use.signal.aborted ? stoppedError(next, error) : error;
      }
    },
    { onStop: () => undefined, onKill: () => undefined },
  );
}

const FOLDER = 'Name a folder with --out; it is made where it is missing.';

/** A line on stderr for each task; on a terminal and elsewhere alike. */
export function tell(console: Console, name: string, done: number, total: number): void {
  console.err(`${String(done).padStart(String(total).length)} of ${total}  ${oneLine(name)}\n`);
}

export interface ImportOptions {
  format?: TaskFormat;
  out?: string;
  limit?: number;
  only?: string[];
  split?: string;
  namespace?: string;
  runScripts?: string;
  variant?: NonNullable<ImportRequest['variant']>;
  offlineVerifier?: boolean;
  json?: boolean;
}

/** `vivarium tasks import`: 0 also when some rows were refused; they are listed. */
export async function importTasks(
  console: Console,
  source: string,
  { json, format, out, runScripts, ...options }: ImportOptions,
): Promise<number> {
  const kind = required(format, 'no format is named', 'Name it with --format.');
  const into = path.resolve(required(out, 'no folder for the tasks is named', FOLDER));
  const report = await stoppable(console, ({ core, signal }) =>
    core.tasks.import({
      ...options,
      format: kind as TaskFormat,
      source: path.resolve(source),
      out: into,
      ...(runScripts !== undefined && { runScripts: path.resolve(runScripts) }),
      signal,
    }),
  );
  if (json) console.out(jsonText(report));
  else {
    console.out(renderWritten(report.written, console.outColumns()));
    console.err(renderRefused(report.refused));
    console.err(`\nNext: \`vivarium tasks preflight ${pathText(into)}\`.\n`);
  }
  return 0;
}

/** `vivarium tasks from-releases`. */
export async function fromReleases(
  console: Console,
  list: string,
  options: { sdists?: string; out?: string; image?: string; only?: string[]; json?: boolean },
): Promise<number> {
  const { json, image, only } = options;
  const sdists = required(
    options.sdists,
    'no folder of source distributions is named',
    'Name it with --sdists.',
  );
  const out = path.resolve(required(options.out, 'no folder for the tasks is named', FOLDER));
  const request: Omit<Parameters<Core['tasks']['fromReleases']>[0], 'signal'> = {
    ...{ list: path.resolve(list), sdists: path.resolve(sdists), out, image, only },
    onTask: (id, done, total) => tell(console, id, done, total),
  };
  const report = await stoppable(console, ({ core, signal }) =>
    core.tasks.fromReleases({ ...request, signal }),
  );
  if (json) console.out(jsonText(report));
  else {
    for (const { task, found } of report.written) console.out(renderFound(task, found));
    console.err(renderRefused(report.refused));
    console.err(`\nNext: \`vivarium tasks check ${pathText(out)}\`.\n`);
  }
  return report.refused.length === 0 ? 0 : 1;
}

export interface AddOptions {
  repo: string;
  commit?: string;
  issue?: string;
  issueFile?: string;
  verify?: string;
  out?: string;
  name?: string;
  image?: string;
  json?: boolean;
}

/** `vivarium tasks add`. */
export async function addTask(console: Console, options: AddOptions): Promise<number> {
  const { name, image, json } = options;
  const commit = required(options.commit, 'no commit is named', 'Name it with --commit.');
  const verify = required(options.verify, 'no test command is named', 'Name it with --verify.');
  const out = path.resolve(required(options.out, 'no folder for the task is named', FOLDER));
  const issue = await readIssue(options);
  const result = await stoppable(console, ({ core, signal }) =>
    core.tasks.add({
      ...{ repository: path.resolve(options.repo), commit, issue, verify, out, name, image },
      signal,
    }),
  );
  if (json) console.out(jsonText(result));
  else {
    console.out(renderFound(result.task, result.found));
    for (const left of result.notCarried) console.err(`not carried: ${oneLine(left)}\n`);
    console.err(`\nNext: \`vivarium tasks check ${pathText(result.task.folder)}\`.\n`);
  }
  return 0;
}
