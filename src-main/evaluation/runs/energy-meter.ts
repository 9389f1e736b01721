/** A count of energy that only grows; behind `wrapsAt` it begins at 0 again. */
export interface EnergyCounter {
  key: string;
  joules: number;
  wrapsAt: number | null;
}

/** Counters of one kind, as they stand now; empty where the machine does not tell. */
export interface EnergySource {
  read(): Promise<EnergyCounter[]>;
  close(): Promise<void>;
}

/** Energy of the machine, shared out evenly over what runs at once. */
export interface EnergyMeter {
  begin(): EnergyShare;
  close(): Promise<void>;
}

export interface EnergyShare {
  /** Joules since its begin; `null` = not measured, or not all the time. */
  end(): Promise<number | null>;
}

/** Short beside the minutes in which a counter wraps, and enough to sum up power by. */
const LOOK_EVERY_MS = 1000;

interface Share {
  joules: number;
  isMeasured: boolean;
  /** A counter fell silent meanwhile: what it would have said is missing. */
  isBroken: boolean;
}

/** Follows the sources until it is closed; they are closed with it. */
export function createEnergyMeter(
  sources: readonly EnergySource[],
  lookEveryMs = LOOK_EVERY_MS,
): EnergyMeter {
  const running = new Set<Share>();
  let before = new Map<string, EnergyCounter>();
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    // Who begins while the counters are read has no part in what they show.
    const sharing = [...running];
    const read = await Promise.all(sources.map((source) => source.read().catch(() => [])));
    const now = new Map(read.flat().map((counter) => [counter.key, counter]));
    const known = [...before.values()];
    const spent = known.map((counter) => spentSince(counter, now.get(counter.key)));
    const whole = spent.reduce<number>((sum, one) => sum + (one ?? 0), 0);
    for (const share of sharing) {
      share.joules += whole / sharing.length;
      share.isMeasured ||= spent.some((one) => one !== null);
      share.isBroken ||= spent.includes(null);
    }
    before = now;
  }
  // One after the other: two looks at once would count the same energy twice.
  const next = () => (looking = looking.then(look));
  const timer = setInterval(() => void next(), lookEveryMs);
  timer.unref();

  return {
    begin() {
      const share: Share = { joules: 0, isMeasured: false, isBroken: false };
      // What was spent until now belongs to the others.
      const begun = next().then(() => running.add(share));
      return {
        async end() {
          await begun;
          await next();
          running.delete(share);
          return share.isMeasured && !share.isBroken ? share.joules : null;
        },
      };
    },
    async close() {
      clearInterval(timer);
      await looking;
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}

/** `null` = it is not there any more. */
function spentSince(before: EnergyCounter, now: EnergyCounter | undefined): number | null {
  if (now === undefined) return null;
  const grown = now.joules - before.joules;
  if (grown >= 0) return grown;
  return now.wrapsAt === null ? null : Math.max(0, grown + now.wrapsAt);
}

/** Counts up what devices draw, from look to look. `watts`: by device; `null` = it does not say. */
export function summedPower(
  watts: () => readonly { key: string; watts: number | null }[],
  close: () => Promise<void>,
  now: () => number = () => performance.now(),
): EnergySource {
  const counts = new Map<string, { joules: number; watts: number; at: number }>();
  return {
    read() {
      const at = now();
      const counters = watts().flatMap((device): EnergyCounter[] => {
        if (device.watts === null) return [];
        const last = counts.get(device.key);
        const seconds = last === undefined ? 0 : (at - last.at) / 1000;
        const mean = (device.watts + (last?.watts ?? 0)) / 2;
        const joules = (last?.joules ?? 0) + mean * seconds;
        counts.set(device.key, { joules, watts: device.watts, at });
        return [{ key: device.key, joules, wrapsAt: null }];
      });
      return Promise.resolve(counters);
    },
    close,
  };
}
