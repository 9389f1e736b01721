import { isApple, keyLabels } from '../shortcuts/keys.ts';
import styles from './kbd.module.css';

/** Keys as they are printed on this machine's keyboard: `mod+k` is Ctrl K or ⌘K. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd className={styles.kbd} aria-hidden="true">
      {keyLabels(keys, isApple()).join(' ')}
    </kbd>
  );
}
