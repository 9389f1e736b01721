import type { CheckRow } from '../../../src-main/contract/index.ts';
import { ErrorNote, Loading } from '../../components/notes.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatPlace, type Place } from '../../navigation.ts';
import { newFixText } from '../../text/en/new-fix.ts';
import styles from './new-fix.module.css';
import type { FixFormState } from './use-fix-form.ts';

/** What is there and what is missing, each with what to do. */
export function CheckList({ check }: { check: FixFormState['check'] }) {
  if (check.error !== null) {
    return <ErrorNote error={check.error} onRetry={() => void check.refetch()} />;
  }
  if (check.data === undefined) return <Loading>{newFixText.checking}</Loading>;
  return (
    <ul className={styles.checks} aria-label={newFixText.checkList}>
      {check.data.rows.map((row) => (
        <Row key={row.name} row={row} />
      ))}
    </ul>
  );
}

function Row({ row: { name, state, found, remedy } }: { row: CheckRow }) {
  const place = state === 'ok' ? null : placeFor(name);
  return (
    <li className={styles.check} data-state={state}>
      <StateMark kind="check" state={state} shapeOnly />
      <div>
        <p>
          <b>{checkName(name)}</b>{' '}
          <span className={state === 'ok' ? styles.soft : undefined}>
            <VisibleText text={found} />
          </span>
        </p>
        {remedy !== null && (
          <p className={styles.soft}>
            <VisibleText text={remedy} />{' '}
            {place !== null && <a href={formatPlace(place.to)}>{place.words}</a>}
          </p>
        )}
      </div>
    </li>
  );
}

export function checkName(name: string): string {
  return newFixText.checks[name] ?? name;
}

function placeFor(name: string): { to: Place; words: string } | null {
  if (name === 'docker' || name === 'image') {
    return { to: { screen: 'environment' }, words: newFixText.toEnvironment };
  }
  return name === 'model' ? { to: { screen: 'models' }, words: newFixText.toModels } : null;
}

/** Why it cannot start yet; `null` when it can. */
export function reasonAgainst({ check, settled }: FixFormState): string | null {
  if (check.data === undefined || !settled) return newFixText.waitForCheck;
  if (check.data.ready) return null;
  const missing = check.data.rows.find(({ state }) => state === 'missing');
  if (missing === undefined) return newFixText.waitForCheck;
  return newFixText.cannot(checkName(missing.name), missing.found);
}
