import type { RunExportFormat } from '../../contract/index.ts';
import { VivariumError } from '../../lib/index.ts';
import type { Target } from './trackers/post.ts';

/** What a person asks for. */
export interface ExportRequest {
  format: RunExportFormat;
  /** Folder to write into; there, it must be empty. */
  out?: string | undefined;
  /** Address to send to, in place of a folder: `otlp` and `mlflow`. */
  to?: string | undefined;
  /** `name: value`, sent along. Never kept, never shown. */
  headers?: readonly string[] | undefined;
  /** `otlp`: prompts, replies and outputs too. */
  content?: boolean | undefined;
  /** MLflow's experiment or W&B's project. */
  experiment?: string | undefined;
  /** `wandb`: the Python that has it. */
  python?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** A request whose members fit together. */
export type CheckedExport = {
  format: RunExportFormat;
  headers: readonly string[];
  content: boolean;
  experiment: string | undefined;
  python: string;
  signal: AbortSignal;
} & ({ to: string; out?: undefined } | { to: undefined; out: string });

const SENT: ReadonlySet<RunExportFormat> = new Set(['otlp', 'mlflow']);
const NAMED: ReadonlySet<RunExportFormat> = new Set(['mlflow', 'wandb']);

/** @throws VivariumError `usage` */
export function checkedExport(request: ExportRequest): CheckedExport {
  const { format, out, to, headers = [], content = false, experiment, python } = request;
  refuse(to !== undefined && !SENT.has(format), `--to is for otlp and mlflow, not for ${format}`);
  refuse(to !== undefined && out !== undefined, 'both --to and --out are given');
  refuse(headers.length > 0 && to === undefined, '--header goes with --to');
  refuse(content && format !== 'otlp', '--content is for otlp');
  refuse(experiment !== undefined && !NAMED.has(format), '--experiment is for mlflow and wandb');
  refuse(python !== undefined && format !== 'wandb', '--python is for wandb');
  refuse(format === 'wandb' && python === undefined, 'wandb needs the Python that has it');
  refuse(format === 'mlflow' && to === undefined, 'mlflow needs the address of its server');
  const rest = {
    ...{ format, headers, content, experiment, python: python ?? '' },
    signal: request.signal ?? new AbortController().signal,
  };
  if (to !== undefined) return { ...rest, to };
  refuse(out === undefined, 'there is no folder to write to');
  return { ...rest, to: undefined, out: out ?? '' };
}

function refuse(isWrong: boolean, message: string): void {
  if (!isWrong) return;
  throw new VivariumError(
    'usage',
    message,
    'Name a folder with --out, or for otlp and mlflow an address with --to; for wandb also --python.',
  );
}

/** @throws VivariumError `usage` */
export function targetOf(to: string, headers: readonly string[], signal: AbortSignal): Target {
  const url = URL.parse(to);
  const isGood =
    url !== null && ['http:', 'https:'].includes(url.protocol) && url.search + url.hash === '';
  if (!isGood || url.username !== '' || url.password !== '') {
    throw new VivariumError(
      'usage',
      'the address of --to cannot be used',
      'Write it as http://HOST:PORT, without a name, a password, ? or #; secrets go into --header.',
    );
  }
  return { to: url, headers: Object.fromEntries(headers.map(headerOf)), signal };
}

const HEADER = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*[:=]\s*([\x20-\x7e]*)$/;

function headerOf(text: string): [string, string] {
  const [, name, value] = HEADER.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name.toLowerCase(), value];
  throw new VivariumError(
    'usage',
    'a header of --header cannot be used',
    "Write it as 'name: value', in plain characters.",
  );
}
