import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { followsAfter } from '../record/follow.ts';
import { nextFailed, type TimelineItem } from '../record/timeline.ts';
import { watchPerson } from './person-moves.ts';

export interface TimelineScroll {
  /** Returns false where no failed item lies in this direction. */
  showFailed: (direction: 1 | -1) => boolean;
  showStep: (direction: 1 | -1) => void;
}

export interface TimelineScrollInput {
  scroller: RefObject<HTMLDivElement | null>;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  items: readonly TimelineItem[];
  live: boolean;
  following: boolean;
  setFollowing: (change: (following: boolean) => boolean) => void;
  /** Step of the address, and what puts one there. */
  step: number | null;
  onStep: (step: number) => void;
}

/** Where the timeline is: at its growing end, at a step of the address, or where a person scrolled. */
export function useTimelineScroll(input: TimelineScrollInput): TimelineScroll {
  const { scroller, virtualizer, items, live, step, onStep, following, setFollowing } = input;
  const current = useRef(0);
  const total = virtualizer.getTotalSize();

  const before = useFollowing({ ...input, total });

  useEffect(() => {
    const element = scroller.current;
    // A record that does not grow has nothing to follow.
    if (element === null || !live) return undefined;
    const person = watchPerson(element);
    const onScroll = () => {
      const { scrollTop: now, scrollHeight, clientHeight } = element;
      const end = scrollHeight - clientHeight;
      const was = before.current;
      const byPerson = person.recent();
      before.current = now;
      setFollowing((following) => followsAfter({ following, before: was, now, end, byPerson }));
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      person.end();
      element.removeEventListener('scroll', onScroll);
    };
    // Signs of before following began are no wish to end it.
    // eslint-disable-next-line react/exhaustive-effect-dependencies, react/exhaustive-deps
  }, [scroller, live, following, before, setFollowing]);

  const show = useCallback(
    (index: number) => {
      setFollowing(() => false);
      current.current = index;
      virtualizer.scrollToIndex(index, { align: 'start' });
    },
    [virtualizer, setFollowing],
  );

  const target = step === null ? -1 : items.findIndex((item) => isStep(item, step));
  useEffect(() => {
    if (target !== -1) show(target);
  }, [target, show]);

  const go = (index: number) => {
    const item = items[index];
    show(index);
    if (item?.kind === 'step') onStep(item.step);
  };
  return {
    showFailed(direction) {
      const found = nextFailed(items, placeOf(virtualizer, current.current), direction);
      if (found !== null) go(found);
      return found !== null;
    },
    showStep(direction) {
      const next = placeOf(virtualizer, current.current) + direction;
      if (next >= 0 && next < items.length) go(next);
    },
  };
}

/**
 * Keeps the end in sight: with what is drawn, and again when that is measured. Returns where the
 * scroller was last.
 */
function useFollowing(
  input: Pick<TimelineScrollInput, 'following' | 'scroller' | 'items'> & {
    total: number;
  },
): RefObject<number> {
  const before = useRef(0);
  const { following, scroller, total, items } = input;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!following || element === null) return;
    element.scrollTo({ top: element.scrollHeight });
    before.current = element.scrollTop;
    // eslint-disable-next-line react/exhaustive-effect-dependencies, react/exhaustive-deps -- what grows is not read
  }, [following, total, items.length, scroller]);

  useEffect(() => {
    const element = scroller.current;
    const rows = element?.firstElementChild;
    if (!following || element === null || rows === null || rows === undefined) return undefined;
    // Rows are measured after they are drawn, and the list corrects its place by that.
    const observer = new ResizeObserver(() => {
      element.scrollTo({ top: element.scrollHeight });
      before.current = element.scrollTop;
    });
    observer.observe(rows);
    return () => observer.disconnect();
  }, [following, scroller]);
  return before;
}

/** The item that was gone to while it is in sight; else the first one that is. */
function placeOf(virtualizer: Virtualizer<HTMLDivElement, Element>, gone: number): number {
  const top = virtualizer.scrollOffset ?? 0;
  const { range } = virtualizer;
  if (range === null) return gone;
  if (gone >= range.startIndex && gone <= range.endIndex) return gone;
  return virtualizer.getVirtualItemForOffset(top)?.index ?? range.startIndex;
}

function isStep(item: TimelineItem, step: number): boolean {
  return item.kind === 'step' && item.step === step;
}
