import path from 'node:path';
import type { FixRequest } from '../../../core/index.ts';
import type { Console } from '../console.ts';
import { required } from '../failure.ts';
import { vivariumHome } from '../home.ts';
import { outFolder } from '../out-folder.ts';
import { readIssue } from '../read-issue.ts';
import { runSession } from './run-session.ts';

export interface FixOptions {
  repo: string;
  model?: string;
  issue?: string;
  issueFile?: string;
  scaffold?: string;
  verify?: string;
  protect?: string[];
  include?: string[];
  history?: boolean;
  attempts?: number;
  parallel?: number;
  seed?: number;
  maxSteps?: number;
  maxContext?: number;
  timeLimit?: number;
  image?: string;
  runtime?: string;
  memory?: number;
  cpus?: number;
  pids?: number;
  disk?: number;
  inodes?: number;
  out?: string;
  json?: boolean;
}

/** Only the limits that were given: the others come from settings and defaults. */
function limitsOf(options: FixOptions): NonNullable<FixRequest['limits']> {
  const { memory, cpus, pids, disk, inodes } = options;
  return {
    ...(memory !== undefined && { memoryBytes: memory }),
    ...(cpus !== undefined && { cpus }),
    ...(pids !== undefined && { pids }),
    ...(disk !== undefined && { diskBytes: disk }),
    ...(inodes !== undefined && { inodes }),
  };
}

/** `vivarium fix`. */
export async function fix(console: Console, options: FixOptions): Promise<number> {
  const model = required(
    options.model,
    'there is no model to fix it with',
    'Name one with --model: a name of `vivarium models list`, gguf:FILE, script:FILE or http://HOST:PORT/v1#NAME.',
  );
  const issue = await readIssue(options);
  const { scaffold, verify, protect, include, history, seed, image, runtime } = options;
  const { attempts, parallel, maxSteps, maxContext, timeLimit } = options;
  const request: FixRequest = {
    repository: path.resolve(options.repo),
    ...{ issue, model, scaffold, verify, protect, include, history, seed, image, runtime },
    ...{ attempts, parallel, maxSteps, maxContext },
    timeLimitSeconds: timeLimit,
    // Not the current folder: it may be the repository, which is never written to unasked.
    out: outFolder(options.out ?? path.join(vivariumHome(console.env), 'patches')),
    limits: limitsOf(options),
  };
  return runSession(console, options, (core, watching) => core.fix(request, watching));
}
