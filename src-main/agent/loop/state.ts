import type { ChatMessage, ToolSpec } from '../../models/index.ts';
import type { AttemptRequest } from '../types.ts';
import type { Budget } from './budget.ts';
import type { Condenser } from './condense.ts';
import type { LoopGuard } from './loop-guard.ts';
import type { NudgeCounter } from './nudges.ts';
import type { Stop } from './stop.ts';
import type { Totals } from './totals.ts';

/** What changes while an attempt runs. The history only grows: no step copies or reads it whole. */
export interface AttemptState {
  readonly request: AttemptRequest;
  readonly stop: Stop;
  readonly messages: ChatMessage[];
  tools: readonly ToolSpec[];
  /** Steps done. */
  steps: number;
  readonly budget: Budget;
  readonly condenser: Condenser;
  readonly guard: LoopGuard;
  readonly nudges: NudgeCounter;
  readonly totals: Totals;
  /** Until when all time has been given to a step; our own time is what model and tools leave. */
  accountedAt: number;
}
