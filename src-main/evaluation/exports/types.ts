import type { EventOf, RunCell, RunSummary, StoredEvent } from '../../contract/index.ts';
import type { Store } from '../../store/index.ts';

/** A run as an export reads it: what was planned, the cells as rows, and their record one at a time. */
export interface ExportSource {
  run: RunSummary;
  created: Omit<EventOf<'run.created'>, 'type'>;
  cells: readonly RunCell[];
  store: Pick<Store, 'events' | 'blob'>;
  /** Of this app. */
  version: string;
}

/** Where an export's files lie, and what a person should know of it. */
export interface ExportReport {
  /** `null` = nothing was written, it was sent. */
  folder: string | null;
  files: number;
  /** Cells that are in it. */
  cells: number;
  /** What was left out, and why; a line each. */
  notes: string[];
}

/** The last try of a cell with all of its record. */
export interface CellRecord {
  cell: RunCell;
  attemptId: string;
  /** Name of the attempt's task, checked: it becomes a part of paths. */
  id: string;
  number: number;
  session: EventOf<'session.created'>;
  /** Of the attempt, in order. */
  events: readonly StoredEvent[];
  opened: EventOf<'attempt.opened'> | undefined;
  steps: readonly (EventOf<'step.finished'> & { at: number })[];
  finished: EventOf<'attempt.finished'> | undefined;
  /** Raw; empty when nothing changed. */
  patch: Uint8Array;
}
