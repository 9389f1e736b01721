import { useCall, useConnection } from '../api/hooks.ts';
import { StateMark } from '../components/state-mark.tsx';
import { formatSize } from '../format.ts';
import { shellText } from '../text/en/shell.ts';
import styles from './status-bar.module.css';

const EVERY_MS = 10_000;

export function StatusBar() {
  const connection = useConnection();
  const { data } = useCall('about', {}, { everyMs: EVERY_MS, enabled: connection === 'open' });
  return (
    <footer className={styles.bar} aria-label={shellText.statusBar}>
      <StateMark kind="connection" state={connection} quiet={connection === 'open'} />
      <span className={styles.quiet}>
        {data === undefined ? '' : shellText.version(data.version)}
      </span>
      <span className={styles.facts} />
      {data !== undefined && (
        <span className="numbers">{shellText.memory(formatSize(data.memoryBytes))}</span>
      )}
    </footer>
  );
}
