export type { Reward } from '../../training/index.ts';

export interface RolloutOptions {
  signal: AbortSignal;
  /** What happens right now, and what a person should know of it. */
  onPhase?: (text: string) => void;
}
