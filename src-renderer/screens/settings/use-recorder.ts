import { useEffect, useRef, useState } from 'react';
import { isApple, pressedCombination } from '../../shortcuts/keys.ts';
import { nextKeys } from './key-draft.ts';

/** As long as the shortcuts wait for the second of two keys. */
const SECOND_MS = 1_200;

/**
 * Takes the next keys that are pressed, before anything else on the page has them. Returns the first
 * of two while the second may still come. `onEnd` is told the keys, or `null` after Escape.
 */
export function useRecorder(onEnd: (keys: string | null) => void): string | null {
  const [first, setFirst] = useState<string | null>(null);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    let before: string | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onKey = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      const chord = pressedCombination(event, isApple());
      if (chord === null || event.repeat) return;
      clearTimeout(timer);
      if (chord === 'escape') {
        end.current(null);
        return;
      }
      const { keys, waits } = nextKeys(before, chord);
      if (!waits) {
        end.current(keys);
        return;
      }
      before = keys;
      setFirst(keys);
      timer = setTimeout(() => end.current(keys), SECOND_MS);
    };
    const onPress = () => end.current(null);
    addEventListener('keydown', onKey, { capture: true });
    addEventListener('pointerdown', onPress, { capture: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('keydown', onKey, { capture: true });
      removeEventListener('pointerdown', onPress, { capture: true });
    };
  }, []);
  return first;
}
