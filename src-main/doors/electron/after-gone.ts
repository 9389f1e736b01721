/** Within this time a page that was loaded again must not go again. */
const SOON_MS = 60_000;
const MOST_RELOADS = 2;

/** What to do when the process of a page has ended. */
export type AfterGone = 'nothing' | 'reload' | 'ask';

/** Decides from the reason and the earlier times, which it keeps; a page that crashes for ever asks. */
export function createAfterGone(): (reason: string, nowMs: number) => AfterGone {
  let times: number[] = [];
  return (reason, nowMs) => {
    if (reason === 'clean-exit') return 'nothing';
    times = [...times.filter((at) => nowMs - at < SOON_MS), nowMs];
    return times.length > MOST_RELOADS ? 'ask' : 'reload';
  };
}
