import type { EventOf, RunCell, RunSummary } from '../../contract/index.ts';

/** A run as it is on record: what was asked for, and what came of it. */
export interface RunOnRecord {
  summary: RunSummary;
  created: Omit<EventOf<'run.created'>, 'type'>;
  cells: readonly RunCell[];
}
