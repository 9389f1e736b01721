import { llamaSetups } from './llamacpp-setups.ts';
import { pythonSetups } from './python-setups.ts';
import type { Footprint, PlanInput, Setup } from './setup.ts';

/** What was chosen: where, how much, and what that takes. */
export interface Choice {
  setup: Setup;
  contextTokens: number;
  sequences: number;
  footprint: Footprint;
}

/** What the profile wants, within what the model was trained with. */
export interface Wanted {
  contextTokens: number;
  sequences: number;
}

/** With less no bug can be looked at. */
const LEAST_CONTEXT = 4_096;
/** A shortened window comes in steps of this. */
const STEP = 1_024;
const RANK = { gpu: 2, split: 1, cpu: 0 };

export function wantedOf({ profile, facts }: PlanInput): Wanted {
  const override = Number(profile.configOverrides['max_position_embeddings'] ?? NaN);
  const trained = facts.trainedContextTokens ?? Infinity;
  const most = Number.isFinite(override) ? Math.max(trained, override) : trained;
  return {
    contextTokens: Math.max(1, Math.min(profile.contextTokens, most)),
    sequences: Math.max(1, profile.sequences),
  };
}

/**
 * The best that fits: the longest window first, then a GPU, then more conversations. If nothing
 * fits, the least of what comes closest. `null` when the machine has no place to try.
 */
export function choose(input: PlanInput): Choice | null {
  const setups = setupsOf(input);
  const wanted = wantedOf(input);
  const choices = setups.map((setup) => chooseOn(setup, wanted));
  return choices.toSorted(better)[0] ?? null;
}

function setupsOf(input: PlanInput): Setup[] {
  const { engine } = input;
  if (engine === 'vllm' || engine === 'sglang') return pythonSetups(input);
  return llamaSetups(input, engine);
}

/** Negative when `a` is better; also orders plans of different machines or files. */
export function better(a: Choice, b: Choice): number {
  if (a.footprint.fits !== b.footprint.fits) return a.footprint.fits ? -1 : 1;
  if (!a.footprint.fits) return shortOf(a) - shortOf(b);
  return (
    b.contextTokens - a.contextTokens ||
    RANK[b.setup.device] - RANK[a.setup.device] ||
    b.sequences - a.sequences ||
    // vLLM computes on all at once; llama.cpp on one after the other.
    b.setup.tensorParallel - a.setup.tensorParallel ||
    a.setup.gpus.length - b.setup.gpus.length
  );
}

/** How much is missing, as a part of what there is. */
function shortOf({ footprint }: Choice): number {
  return footprint.neededBytes / Math.max(1, footprint.availableBytes);
}

/** Fewer conversations before a shorter window: one that cannot see its files fixes nothing. */
function chooseOn(setup: Setup, wanted: Wanted): Choice {
  const at = (contextTokens: number, sequences: number): Choice => ({
    ...{ setup, contextTokens, sequences },
    footprint: setup.footprint(contextTokens, sequences),
  });
  for (let sequences = wanted.sequences; sequences >= 1; sequences -= 1) {
    const choice = at(wanted.contextTokens, sequences);
    if (choice.footprint.fits) return choice;
  }
  const least = Math.min(LEAST_CONTEXT, wanted.contextTokens);
  return at(longestWindow(setup, 1, least, wanted.contextTokens), 1);
}

/** The longest window that fits, in steps; `least` when none does. */
export function longestWindow(
  setup: Setup,
  sequences: number,
  least: number,
  most: number,
): number {
  let fits = 0;
  let tooLong = Math.ceil(most / STEP);
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (setup.footprint(middle * STEP, sequences).fits) fits = middle;
    else tooLong = middle;
  }
  return Math.max(least, fits * STEP);
}
