/** What a scroller was and is, in pixels. */
export interface Scrolled {
  following: boolean;
  /** `scrollTop` before and now. */
  before: number;
  now: number;
  /** `scrollHeight - clientHeight`. */
  end: number;
  /** A wheel, a key or a finger moved it: what is drawn shorter for a moment moves it, too. */
  byPerson: boolean;
}

/** So near to the end counts as at it: fractions of pixels, and a line half in sight. */
export const NEAR_END_PX = 24;

/** Whether the newest step is followed after a scroll: a person who moves up ends it, coming back to the end begins it. */
export function followsAfter({ following, before, now, end, byPerson }: Scrolled): boolean {
  const atEnd = end - now <= NEAR_END_PX;
  if (atEnd) return true;
  return byPerson && now < before - 1 ? false : following;
}
