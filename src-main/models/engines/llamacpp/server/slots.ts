import type { LlamaContextSequence, Token } from 'node-llama-cpp';

/** Runs `work` alone on the sequence that suits the prompt best, waiting for a free one. */
export interface SlotPool {
  use<T>(
    prompt: readonly Token[],
    signal: AbortSignal,
    work: (sequence: LlamaContextSequence) => Promise<T>,
  ): Promise<T>;
  /** Requests at work and waiting, and the tokens in memory, now. */
  load(): { running: number; waiting: number; usedTokens: number };
}

interface Slot {
  sequence: LlamaContextSequence;
  busy: boolean;
  /** Counts up with each use; 0 = never used. */
  usedAt: number;
}

/** A conversation keeps its slot only if at least this share of what is in memory stays useful. */
const MIN_SHARED = 0.5;

/** A pool over sequences of one context. Requests are served in the order they came. */
export function createSlotPool(sequences: readonly LlamaContextSequence[]): SlotPool {
  const slots: Slot[] = sequences.map((sequence) => ({ sequence, busy: false, usedAt: 0 }));
  const waiting: (() => void)[] = [];
  let uses = 0;
  let permits = slots.length;

  const acquire = async (prompt: readonly Token[], signal: AbortSignal): Promise<Slot> => {
    signal.throwIfAborted();
    if (permits > 0) permits -= 1;
    else await turn(signal);
    const slot = chooseSlot(
      slots.filter((candidate) => !candidate.busy),
      prompt,
    );
    slot.busy = true;
    slot.usedAt = uses += 1;
    return slot;
  };
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(go);
    });

  return {
    use: async (prompt, signal, work) => {
      const slot = await acquire(prompt, signal);
      try {
        return await work(slot.sequence);
      } finally {
        slot.busy = false;
        // The permit goes straight to who waits longest: nobody can slip in between.
        const next = waiting.shift();
        if (next === undefined) permits += 1;
        else next();
      }
    },
    load: () => ({
      running: slots.filter(({ busy }) => busy).length,
      waiting: waiting.length,
      usedTokens: slots.reduce((sum, { sequence }) => sum + sequence.nextTokenIndex, 0),
    }),
  };
}

/**
 * The free slot whose memory the prompt goes on from; otherwise the one longest unused, so that a
 * new conversation does not cut another one back to the system prompt they share.
 */
function chooseSlot(free: readonly Slot[], prompt: readonly Token[]): Slot {
  let best: Slot | undefined;
  let bestShared = 0;
  for (const slot of free) {
    const shared = sharedTokens(slot.sequence.contextTokens, prompt);
    const useful = shared / Math.max(1, slot.sequence.contextTokens.length);
    if (shared <= bestShared || useful < MIN_SHARED) continue;
    best = slot;
    bestShared = shared;
  }
  const chosen = best ?? free.toSorted((a, b) => a.usedAt - b.usedAt)[0];
  if (chosen === undefined) throw new Error('A slot was given out twice.');
  return chosen;
}

function sharedTokens(known: readonly Token[], prompt: readonly Token[]): number {
  let count = 0;
  while (count < known.length && count < prompt.length && known[count] === prompt[count])
    count += 1;
  return count;
}
