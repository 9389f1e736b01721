import type { LlamaModel } from 'node-llama-cpp';
import { createSlotPool, type SlotPool } from './slots.ts';

/** A little window of its own for requests of one token. */
export interface ProbeSlot {
  /** The pool that answers a request: the little one, or `usual`. */
  poolFor(promptTokens: number, maxTokens: number, usual: SlotPool): Promise<SlotPool>;
}

const CONTEXT_TOKENS = 256;
/** The room for the results of a batch is most of what such a context takes. */
const BATCH_TOKENS = 16;

/**
 * Whoever watches a server asks it for one token now and then. In a slot of a conversation that
 * would cost the conversation all that is in memory, and behind a long prompt it would wait. So such
 * requests share a small context of the same model, made at the first one.
 */
export function createProbeSlot(model: LlamaModel, threads: number): ProbeSlot {
  let pool: Promise<SlotPool> | undefined;
  const open = async (): Promise<SlotPool> => {
    const context = await model.createContext({
      contextSize: CONTEXT_TOKENS,
      sequences: 1,
      batchSize: BATCH_TOKENS,
      threads,
    });
    return createSlotPool([context.getSequence()]);
  };
  return {
    poolFor: async (promptTokens, maxTokens, usual) => {
      if (maxTokens !== 1 || promptTokens >= CONTEXT_TOKENS) return usual;
      pool ??= open();
      try {
        return await pool;
      } catch {
        // No memory left for it: the conversations' own has to do.
        return usual;
      }
    },
  };
}
