import type { ServerEngineId } from '../../contract/index.ts';
import type { Sampling } from '../types.ts';

export type { ServerEngineId } from '../../contract/index.ts';

/** Where the program of an engine is looked for. */
export type EngineSource =
  | { kind: 'auto' }
  /** A Python virtual environment. */
  | { kind: 'venv'; folder: string }
  /** An absolute program, or a name on PATH. */
  | { kind: 'program'; file: string }
  /** A local container image; started with the GPU and the model folder read-only. */
  | { kind: 'container'; image: string };

/**
 * How a model is served and driven. As YAML beside the model; a person can read, export, import and
 * override it member by member. The schema (zod) is in `../profiles`.
 */
export interface ModelProfile {
  /** Name in the library; also the name of the server. */
  name: string;
  /** Preset it came from: `frognano-4b`, `frogmini-14b`, `qwen3-coder`, `plain`. */
  preset: string;
  engine: ServerEngineId;
  source: EngineSource;
  /** `auto` = GPU when there is one that can hold it. */
  device: 'auto' | 'gpu' | 'cpu';
  /** Scaffold that the model was trained with. */
  scaffold: string;
  contextTokens: number;
  /** Most prompt tokens of a turn, where the training had such a limit; else `null`. */
  inputTokens: number | null;
  tokensPerTurn: number;
  steps: number;
  sampling: Sampling;
  reasoningParser: string | null;
  callParser: string | null;
  prefixCaching: boolean;
  /** Share of GPU memory the engine may take, 0 to 1. */
  memoryShare: number;
  /** Conversations at a time. */
  sequences: number;
  /** `auto` = number of GPUs. */
  tensorParallel: 'auto' | number;
  /** Overrides of the model's `config.json`, e.g. `{ max_position_embeddings: 65536 }`. */
  configOverrides: Record<string, unknown>;
  /** Jinja file that replaces the model's template; absolute. */
  chatTemplate: string | null;
  threads: number | null;
  /** Further flags of the engine, verbatim: `{ "--enforce-eager": true, "--swap-space": 4 }`. */
  flags: Record<string, string | number | boolean>;
  /** Variables the user wants the engine to see (S08); nothing else of theirs reaches it. */
  environment: Record<string, string>;
  /** Minutes without a request after which the server is stopped; `null` = never. */
  idleMinutes: number | null;
}

/** Members to replace, by their YAML names, as `--set NAME=VALUE` and `--flag` give them. */
export type ProfileOverrides = Record<string, unknown>;
