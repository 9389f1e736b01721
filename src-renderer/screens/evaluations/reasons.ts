import type { InfraReason } from '../../../src-main/contract/index.ts';
import { cellsText } from '../../text/en/run-cells.ts';

/** Why there is no verdict, in words. */
export const REASON_WORDS: Record<InfraReason, string> = cellsText.grading.reasons;
