/** Lets text through until one of the stop texts appears, which is swallowed. */
export interface StopWatch {
  /** The text that may be shown, and whether a stop text was met. */
  push(text: string): { text: string; stopped: boolean };
  /** What was held back as the possible start of a stop text. */
  end(): string;
}

export function createStopWatch(stops: readonly string[]): StopWatch {
  let held = '';
  const wanted = stops.filter((stop) => stop !== '');
  return {
    push: (text) => {
      held += text;
      const at = firstIndex(held, wanted);
      if (at !== -1) {
        const shown = held.slice(0, at);
        held = '';
        return { text: shown, stopped: true };
      }
      const keep = Math.max(0, ...wanted.map((stop) => overlapLength(held, stop)));
      const shown = held.slice(0, held.length - keep);
      held = held.slice(held.length - keep);
      return { text: shown, stopped: false };
    },
    end: () => {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

function firstIndex(text: string, wanted: readonly string[]): number {
  const found = wanted.map((stop) => text.indexOf(stop)).filter((at) => at !== -1);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** Length of the longest end of `text` that is a proper start of `marker`. */
export function overlapLength(text: string, marker: string): number {
  for (let length = Math.min(text.length, marker.length - 1); length > 0; length -= 1) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}
