import { messageOf } from '../../lib/index.ts';
import type { ServerFigures, ServerSample } from '../servers/types.ts';
import type { GpuWatch } from './gpu-watch.ts';
import { createMemoryReader } from './process-memory.ts';
import { ratesBetween, type Baseline } from './rates.ts';

export interface SamplerOptions {
  /** Processes of the server now; asked as seldom as its cost wants, see `PIDS_CORE_SHARE`. */
  pids: () => number[];
  /** The server's own figures; a rejection counts as `null`. */
  figures: () => Promise<ServerFigures | null>;
  /** `null` where there is no GPU; stays the caller's. */
  gpu: Pick<GpuWatch, 'bytesOf' | 'utilizationOf' | 'alert'> | null;
  onSample: (sample: ServerSample) => void;
  /** Default 1000. */
  intervalMs?: number;
  clock?: SamplerClock;
}

export interface SamplerClock {
  /** Milliseconds since 1970. */
  wall(): number;
  /** Milliseconds that never go back. */
  steady(): number;
}

export interface Sampler {
  /** No sample comes after this. */
  stop(): void;
}

const CLOCK: SamplerClock = { wall: () => Date.now(), steady: () => performance.now() };

/** Finding the processes means to look at all there are: share of one core that may go to it. */
const PIDS_CORE_SHARE = 0.002;

/** A server that is that slow to tell its figures has none for this look. */
const FIGURES_LIMIT_MS = 5000;

/**
 * Looks at a server each second until stopped. A look that takes longer than that makes the next ones
 * fall out; two never overlap. The first look is one interval from now. Holds up no exit.
 */
export function createSampler(options: SamplerOptions): Sampler {
  const look = createLook(options);
  let looking = false;
  let stopped = false;
  let warned = '';

  async function tick(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      const sample = await look();
      if (!stopped) options.onSample(sample);
    } catch (error) {
      // A sample that cannot be taken or kept disturbs nothing; the same warning comes once.
      if (messageOf(error) !== warned)
        process.emitWarning(`a look at a model server failed: ${messageOf(error)}`);
      warned = messageOf(error);
    } finally {
      looking = false;
    }
  }
  const timer = setInterval(() => void tick(), options.intervalMs ?? 1000);
  timer.unref();
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}

/** One look after the other at a server, each compared with the one before. */
export function createLook(options: Omit<SamplerOptions, 'onSample'>): () => Promise<ServerSample> {
  const { gpu } = options;
  const clock = options.clock ?? CLOCK;
  const memory = createMemoryReader();
  const askFigures = boundedFigures(options.figures);
  const findPids = thriftyPids(options.pids, clock);
  let before: Baseline | null = null;

  return async () => {
    const pids = findPids();
    const figures = await askFigures();
    // The counters are of this moment, not of when the other figures are there.
    const at = clock.steady();
    const wall = clock.wall();
    const memoryBytes = await memory.read(pids);
    const now = figures === null ? null : { at, pids, figures };
    const rates = ratesBetween(before, now);
    // A look without figures is bridged: what came in between is in the next interval.
    before = now ?? before;
    return {
      at: Math.round(wall),
      memoryBytes,
      gpuBytes: gpu?.bytesOf(pids) ?? null,
      gpuUtilization: gpu?.utilizationOf(pids) ?? null,
      figures,
      ...rates,
      alert: gpu?.alert() ?? null,
    };
  };
}

/** The list of the last time while finding a new one would cost too much. */
function thriftyPids(find: () => number[], clock: SamplerClock): () => number[] {
  let pids: number[] = [];
  let nextAt = 0;
  return () => {
    const startedAt = clock.steady();
    if (startedAt < nextAt) return pids;
    pids = find();
    const now = clock.steady();
    nextAt = now + (now - startedAt) / PIDS_CORE_SHARE;
    return pids;
  };
}

/**
 * Asks with a limit. A question that was given up on is still on its way: until it is answered no
 * other is asked, and there are no figures.
 */
function boundedFigures(ask: SamplerOptions['figures']): () => Promise<ServerFigures | null> {
  let pending: Promise<ServerFigures | null> | undefined;
  return async () => {
    if (pending !== undefined) return null;
    const asked = ask().catch(() => null);
    pending = asked;
    void asked.then(() => (pending = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, FIGURES_LIMIT_MS, null);
      timer.unref();
    });
    try {
      return await Promise.race([asked, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
