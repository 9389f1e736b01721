import { VisibleText } from '../../../components/visible-text.tsx';
import { visibleLine } from '../../../visible.ts';
import styles from './diff.module.css';

/** A path whose folders give way before its name does. */
export function FilePath({ path }: { path: string }) {
  const slash = path.lastIndexOf('/') + 1;
  return (
    <span className={styles.path}>
      {slash > 0 && (
        <span className={styles.folder}>
          <VisibleText text={visibleLine(path.slice(0, slash))} />
        </span>
      )}
      <span className={styles.name}>
        <VisibleText text={visibleLine(path.slice(slash))} />
      </span>
    </span>
  );
}
