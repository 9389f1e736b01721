import { memo } from 'react';
import type { OutputOf, SessionRow } from '../../src-main/contract/index.ts';
import { classes } from '../components/classes.ts';
import { Age, Changes, useNow } from '../components/figures.tsx';
import { StateMark, stateWord } from '../components/state-mark.tsx';
import { formatPlace, sessionPlace } from '../navigation.ts';
import { shellText } from '../text/en/shell.ts';
import { lastName, visibleLine } from '../visible.ts';
import { groupRows } from './group-rows.ts';
import styles from './sidebar.module.css';

export interface RecentSessionsProps {
  query: { data: OutputOf<'sessions/list'> | undefined; isError: boolean };
  current: string | null;
}

/** The newest sessions by age, running ones first. */
export function RecentSessions({ query, current }: RecentSessionsProps) {
  const { data } = query;
  const now = useNow(60_000);
  return (
    <section className={styles.recent} data-part="recent" aria-label={shellText.recent}>
      {data === undefined && !query.isError && (
        <p className={styles.none}>{shellText.loadingSessions}</p>
      )}
      {data?.total === 0 && <p className={styles.none}>{shellText.noSessions}</p>}
      {groupRows(data?.rows ?? [], now).map(({ group, rows }) => (
        <div key={group}>
          <h2 className={styles.group}>{shellText.groups[group]}</h2>
          <ul>
            {rows.map((row) => (
              <li key={row.sessionId}>
                <Row row={row} isCurrent={row.sessionId === current} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {data !== undefined && data.total > data.rows.length && (
        <a className={styles.all} href={formatPlace({ screen: 'sessions' })}>
          {shellText.allSessions(data.total)}
        </a>
      )}
    </section>
  );
}

/** Drawn again only when its own session changes, not with each event of another. */
const Row = memo(function Row({ row, isCurrent }: { row: SessionRow; isCurrent: boolean }) {
  const title = visibleLine(row.title);
  return (
    <a
      className={classes(styles.row, row.unseen && styles.unseen)}
      href={formatPlace(sessionPlace(row.sessionId))}
      aria-current={isCurrent ? 'page' : undefined}
      title={title}
    >
      <StateMark kind="session" state={row.state} shapeOnly />
      <span className={classes('cut', styles.title)}>
        {title}
        {row.unseen && <span className="visually-hidden"> ({shellText.unseen})</span>}
      </span>
      <span className={styles.side}>
        {row.files > 0 ? (
          <Changes insertions={row.insertions} deletions={row.deletions} />
        ) : (
          <span className="numbers" title={shellText.steps(row.steps)}>
            {row.steps}
          </span>
        )}
      </span>
      <span className={styles.facts}>
        <span className="cut">{visibleLine(lastName(row.repository))}</span>
        <span aria-hidden="true">{stateWord('session', row.state)}</span>
        <Age at={row.updatedAt} />
      </span>
    </a>
  );
});
