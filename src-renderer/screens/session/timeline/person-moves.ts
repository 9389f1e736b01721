/** After the last sign of a person, so long may what they moved go on moving. */
const GOES_ON_MS = 700;

export interface PersonMoves {
  /** Whether a scroll that happens now is a person's. */
  recent(): boolean;
  end(): void;
}

/** Watches for what moves a scroller by a person's hand: wheel, finger, keys, and its bar. */
export function watchPerson(element: HTMLElement): PersonMoves {
  const ended = new AbortController();
  let lastAt = Number.NEGATIVE_INFINITY;
  let held = false;
  const on = (sign: keyof HTMLElementEventMap, then: (event: Event) => void) =>
    element.addEventListener(sign, then, { passive: true, signal: ended.signal });
  const moves = () => {
    lastAt = performance.now();
  };
  on('wheel', moves);
  on('touchmove', moves);
  on('keydown', moves);
  // A bar that is held tells of no movement until it is let go.
  on('pointerdown', () => {
    held = true;
  });
  const letGo = (event: Event) => {
    if (event instanceof PointerEvent && event.buttons !== 0) return;
    if (held) moves();
    held = false;
  };
  on('pointerup', letGo);
  on('pointermove', letGo);
  return {
    recent: () => held || performance.now() - lastAt < GOES_ON_MS,
    end: () => ended.abort(),
  };
}
