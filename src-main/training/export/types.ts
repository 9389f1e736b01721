import type { CellRecord, ExportSource } from '../../evaluation/index.ts';
import type { ChatMessage, ChatTokenizer, ToolSpec } from '../../models/index.ts';

/** Forms of a row a line, which importers read. */
export type RowFormat = 'sharegpt' | 'openai' | 'trl' | 'preference';

/** `harbor` and `atif` are folders. */
export type TrainFormat = RowFormat | 'harbor' | 'atif';

/** Which attempts become rows. Unset members leave nothing out, unless they say otherwise. */
export interface TrainFilters {
  /** Attempts that did not solve their task, too; `preference` always has them. Default false. */
  unsolved?: boolean | undefined;
  /** Attempts that look like a way around the task, too. Default false. */
  suspicious?: boolean | undefined;
  /** Messages of a row at most, the opening ones included. */
  maxMessages?: number | undefined;
  /** Rows of one task at most. */
  cap?: number | undefined;
  /** Entries of a run by number, from 1 on. */
  entries?: readonly number[] | undefined;
  seeds?: readonly number[] | undefined;
}

export interface TrainRequest {
  format: TrainFormat;
  /** New or empty folder. */
  out: string;
  filters?: TrainFilters | undefined;
  /** `openai`, `trl`, `preference`: tools as JSON text. Default false. */
  toolsAsText?: boolean | undefined;
  /** `preference`: attempts with a label in place of pairs. Default false. */
  unpaired?: boolean | undefined;
  /** Share of the tasks for validation, from 0 to below 1. Default 0. */
  validation?: number | undefined;
  /** Another one draws other tasks for validation. Default 0. */
  splitSeed?: number | undefined;
  /**
   * Writes the tokens of the attempts, and which of them are learned, beside `sharegpt`, `openai` and
   * `trl` rows; a dry run counts by it in place of an estimate.
   */
  tokenizer?: ChatTokenizer | undefined;
  signal?: AbortSignal | undefined;
}

export type Split = 'train' | 'validation';

/** Where a row comes from. */
export interface Origin {
  run: string;
  session: string;
  task: string;
  entry: string;
  seed: number;
  solved: boolean;
}

/** An attempt on record up to its last reply. */
export interface Trajectory {
  origin: Origin;
  messages: readonly ChatMessage[];
  /** Empty where the calls stand in the text. */
  tools: readonly ToolSpec[];
  source: TrainSource;
  record: CellRecord;
}

/** A line of an export. */
export interface TrainRow {
  split: Split;
  value: Record<string, unknown>;
  origins: readonly Origin[];
  /** `null` for a pair, which is of two. */
  attempt: Trajectory | null;
  /** Replies whose text beside calls the form has no place for. */
  dropped: number;
}

/** Attempts that are in no row, counted by why. */
export type LeftOut = Map<string, number>;

export interface TrainReport {
  folder: string;
  rows: Record<Split, number>;
  tasks: Record<Split, number>;
  leftOut: { reason: string; attempts: number }[];
  notes: string[];
}

/** What an importer would make of a row. */
export interface RowCheck {
  verdict: 'whole' | 'cut' | 'skipped';
  /** What a person should know, a line each; why it is skipped comes first. */
  notes: string[];
  /** Of the longer side of a pair. */
  tokens: number;
  /** Without a tokenizer: a quarter of the characters. */
  isEstimate: boolean;
  /** Of `tokens`: replies that are learned, what is only read, and what is cut away. */
  learned: number;
  masked: number;
  cut: number;
}

export interface DryRunRequest extends Omit<TrainRequest, 'out' | 'format'> {
  format: RowFormat;
  /** Tokens of a row at most: `cutoff_len` of LLaMA-Factory, `max_length` of TRL. Default 2048. */
  cutoff?: number | undefined;
}

export interface DryRunReport extends Omit<TrainReport, 'folder'> {
  /** A row each, with its line in the file it would be in. */
  checks: ({ file: string; line: number; task: string } & RowCheck)[];
}

export type TrainSource = ExportSource;
