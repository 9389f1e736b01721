/** A page in the background is given no frames; what waits for one is done by this. */
const HIDDEN_MS = 500;

/**
 * Asks for a run: the first one is at once, and those asked for before the next frame are one run
 * with that frame. What comes alone waits for nothing, and a flood costs no more than a run a frame.
 *
 * @param nextFrame calls back once, with the next frame or soon; for tests
 */
export function oncePerFrame(
  run: () => void,
  nextFrame: (then: () => void) => void = atNextFrame,
): () => void {
  let state: 'free' | 'held' | 'asked' = 'free';
  const begin = () => {
    state = 'held';
    nextFrame(() => {
      const isAsked = state === 'asked';
      state = 'free';
      if (isAsked) begin();
    });
    run();
  };
  return () => {
    if (state === 'free') begin();
    else state = 'asked';
  };
}

function atNextFrame(then: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    then();
  };
  requestAnimationFrame(once);
  setTimeout(once, HIDDEN_MS);
}
