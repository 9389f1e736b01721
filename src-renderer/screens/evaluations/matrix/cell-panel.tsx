import type { OutputOf } from '../../../../src-main/contract/index.ts';
import { useCall } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Changes } from '../../../components/figures.tsx';
import { KeyValue } from '../../../components/key-value.tsx';
import { ErrorNote, Loading } from '../../../components/notes.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatCount, formatDuration, formatTokens } from '../../../format.ts';
import { formatPlace, sessionPlace } from '../../../navigation.ts';
import { useKeysOf } from '../../../shortcuts/use-action-key.ts';
import { cellsText } from '../../../text/en/run-cells.ts';
import { runText } from '../../../text/en/run.ts';
import { useDebounced } from '../../use-debounced.ts';
import { type Cell, stateOfCell, stepToOpen } from '../cells.ts';
import { GradingFacts } from '../grading-facts.tsx';
import styles from './matrix.module.css';

/** Who holds an arrow key asks for no cell on the way. */
const REST_MS = 120;

type Got = NonNullable<OutputOf<'evaluation/cell'>>;

export interface CellPanelProps {
  isMarked: boolean;
  /** `null` = nothing is marked, or it has not begun. */
  cell: Cell | null;
  onLabel: () => void;
}

/** What came of the marked attempt, why, and what a person says of it. */
export function CellPanel({ isMarked, cell, onLabel }: CellPanelProps) {
  const { panel: words } = cellsText;
  return (
    <section className={styles.panel} aria-label={words.title}>
      {cell === null ? (
        <p className={styles.soft}>{isMarked ? words.waiting : words.choose}</p>
      ) : (
        <Details key={cell.session} cell={cell} onLabel={onLabel} />
      )}
    </section>
  );
}

function Details({ cell, onLabel }: { cell: Cell; onLabel: () => void }) {
  const { panel: words } = cellsText;
  const session = useDebounced(cell.session, REST_MS);
  // What it is made of stands in the matrix: another figure there asks anew.
  const { data, error, refetch } = useCall('evaluation/cell', { session });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data === null) return <Loading>{words.loading}</Loading>;
  return <Known cell={cell} got={data} onLabel={onLabel} />;
}

function Known({ cell, got, onLabel }: { cell: Cell; got: Got; onLabel: () => void }) {
  const { panel: words } = cellsText;
  const step = stepToOpen(cell);
  return (
    <>
      <h2>
        <VisibleText text={got.cell.task} />
      </h2>
      <p className={styles.states}>
        <StateMark kind="cell" state={stateOfCell(cell)} />
        {cell.ending !== null && <span>{runText.failures.endings[cell.ending]}</span>}
      </p>
      <p>
        <a href={formatPlace(sessionPlace(cell.session, { step }))}>
          {step === null ? words.open : words.openStep(step)}
        </a>
      </p>
      <KeyValue facts={factsOf(got)} />
      {got.cell.premature && <p className={styles.soft}>{words.premature}</p>}
      <GradingFacts grading={got.cell.grading} />
      <Suspects got={got} />
      <Label label={got.cell.label} onLabel={onLabel} />
    </>
  );
}

function factsOf({ cell, entry }: Got) {
  const { panel: words } = cellsText;
  const { tokens, patch } = cell;
  return [
    { key: words.entry, value: <VisibleText text={entry} /> },
    { key: words.seed, value: String(cell.seed) },
    { key: words.steps, value: formatCount(cell.steps) },
    ...(cell.tries > 1 ? [{ key: words.tries, value: formatCount(cell.tries) }] : []),
    { key: words.time, value: formatDuration(cell.seconds.total * 1_000) },
    ...(tokens.prompt === null
      ? []
      : [
          {
            key: words.tokens,
            value: words.tokensWords(
              formatTokens(tokens.prompt),
              formatTokens(tokens.cached),
              formatTokens(tokens.completion),
            ),
          },
        ]),
    {
      key: words.patch,
      value:
        patch.files === 0 ? (
          words.noPatch
        ) : (
          <Changes insertions={patch.insertions} deletions={patch.deletions} />
        ),
    },
  ];
}

function Suspects({ got }: { got: Got }) {
  const { sessionId, suspicions } = got.cell;
  if (suspicions.length === 0) return null;
  return (
    <ul className={styles.list}>
      {suspicions.map(({ kind, step, evidence }) => (
        <li key={`${kind} ${step} ${evidence}`}>
          {runText.failures.kinds[kind]}{' '}
          <a href={formatPlace(sessionPlace(sessionId, { step }))}>{runText.failures.step(step)}</a>
          <code className={styles.evidence}>
            <VisibleText text={evidence} />
          </code>
        </li>
      ))}
    </ul>
  );
}

function Label({ label, onLabel }: { label: Got['cell']['label']; onLabel: () => void }) {
  const { panel: words } = cellsText;
  const keys = useKeysOf('cell.label');
  return (
    <div className={styles.label}>
      {label !== null && (
        <>
          <h3>
            {words.label} <VisibleText text={label.label} />
          </h3>
          {label.note !== '' && (
            <p>
              <VisibleText text={label.note} />
            </p>
          )}
        </>
      )}
      <Button small icon="note" keys={keys} onPress={onLabel}>
        {label === null ? words.addLabel : words.editLabel}
      </Button>
    </div>
  );
}
