import type { EntryReportRow } from '../../../../src-main/contract/index.ts';
import { StateMark } from '../../../components/state-mark.tsx';
import { formatCount } from '../../../format.ts';
import { runText } from '../../../text/en/run.ts';
import { statesText } from '../../../text/en/states.ts';
import { visibleLine } from '../../../visible.ts';
import styles from '../evaluations.module.css';
import { cellsHref } from '../run-place.ts';

type Pair = EntryReportRow['matrix'][number];
type Outcome = NonNullable<Pair['outcome']>;

const OUTCOMES = Object.keys(statesText.cell);
const ENDINGS = Object.keys(runText.failures.endings);

export interface FailureMatrixProps {
  run: string;
  entry: EntryReportRow;
  index: number;
}

/** Attempts by what became of the tests and by how they ended; each count leads to its attempts. */
export function FailureMatrix({ run, entry, index }: FailureMatrixProps) {
  const { failures: words } = runText;
  const outcomes = inOrder(
    entry.matrix.map(({ outcome }) => outcome),
    OUTCOMES,
  );
  const endings = inOrder(
    entry.matrix.map(({ ending }) => ending),
    ENDINGS,
  );
  const count = (pairs: readonly Pair[]) => pairs.reduce((sum, { cells }) => sum + cells, 0);
  const of = (outcome: Pair['outcome']) => entry.matrix.filter((pair) => pair.outcome === outcome);
  return (
    // Scrolls sideways on narrow pages, so the keyboard has to reach it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.sideways} tabIndex={0} role="group" aria-label={captionOf(entry)}>
      <table className={styles.table}>
        <caption className="visually-hidden">{captionOf(entry)}</caption>
        <thead>
          <tr>
            <th scope="col">{visibleLine(entry.entry.label)}</th>
            {endings.map((ending) => (
              <th key={ending} scope="col">
                {endingWords(ending)}
              </th>
            ))}
            <th scope="col">{words.all}</th>
          </tr>
        </thead>
        <tbody>
          {outcomes.map((outcome) => (
            <tr key={outcome}>
              <th scope="row">
                <OutcomeMark outcome={outcome} />
              </th>
              {endings.map((ending) => (
                <td key={ending}>
                  <CountLink
                    cells={count(of(outcome).filter((pair) => pair.ending === ending))}
                    words={[outcomeWords(outcome), endingWords(ending)]}
                    href={cellsHref(run, {
                      ...{ entry: index, ending: ending ?? 'none' },
                      ...(outcome === null ? {} : { outcome }),
                    })}
                  />
                </td>
              ))}
              <td>{formatCount(count(of(outcome)))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CountLink(props: { cells: number; words: [string, string]; href: string }) {
  const { cells, href } = props;
  if (cells === 0) return null;
  return (
    <a href={href} aria-label={runText.failures.cellLink(cells, ...props.words)}>
      {formatCount(cells)}
    </a>
  );
}

function OutcomeMark({ outcome }: { outcome: Outcome | null }) {
  if (outcome === null) return runText.failures.open;
  return <StateMark kind="cell" state={outcome} />;
}

function captionOf({ entry }: EntryReportRow): string {
  return `${runText.failures.matrix}: ${visibleLine(entry.label)}`;
}

function outcomeWords(outcome: Pair['outcome']): string {
  return outcome === null ? runText.failures.open : statesText.cell[outcome];
}

function endingWords(ending: Pair['ending']): string {
  return ending === null ? runText.failures.noEnding : runText.failures.endings[ending];
}

/** Each once, always in the same order; what has none yet comes last. */
function inOrder<T extends string>(
  values: ReadonlyArray<T | null>,
  order: readonly string[],
): Array<T | null> {
  const rank = (value: T | null) => (value === null ? order.length : order.indexOf(value));
  return [...new Set(values)].toSorted((one, other) => rank(one) - rank(other));
}
