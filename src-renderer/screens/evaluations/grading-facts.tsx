import type { Expectation, Grading } from '../../../src-main/contract/index.ts';
import { StateMark } from '../../components/state-mark.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { cellsText } from '../../text/en/run-cells.ts';
import styles from './grading-facts.module.css';
import { REASON_WORDS } from './reasons.ts';

/** Tests named at first. */
const MOST = 12;

/** What the tests said of an attempt: those that speak against it by name, or why there is no verdict. */
export function GradingFacts({ grading }: { grading: Grading | null }) {
  const { grading: words } = cellsText;
  if (grading === null) return null;
  const { infra, failToPass, passToPass } = grading;
  return (
    <div className={styles.grading}>
      <h3>{words.title}</h3>
      {infra !== null && (
        <p>
          <StateMark
            kind="cell"
            state="infra"
            words={`${words.infra}: ${REASON_WORDS[infra.reason]}`}
          />{' '}
          <VisibleText text={infra.detail} />
        </p>
      )}
      {failToPass === null && passToPass === null && infra === null && (
        <p>
          <VisibleText text={grading.summary} />
        </p>
      )}
      {failToPass !== null && (
        <Tests list={failToPass} title={words.toFix} unmet={words.unmetFix} />
      )}
      {passToPass !== null && (
        <Tests list={passToPass} title={words.toKeep} unmet={words.unmetKeep} />
      )}
    </div>
  );
}

interface TestsProps {
  list: Expectation;
  title: (met: number, all: number) => string;
  unmet: string;
}

function Tests({ list, title, unmet }: TestsProps) {
  const missing = list.expected - list.met;
  const shown = list.unmet.slice(0, MOST);
  return (
    <div>
      <StateMark
        kind="test"
        state={missing === 0 ? 'passed' : 'failed'}
        words={title(list.met, list.expected)}
      />
      {shown.length > 0 && (
        <ul className={styles.tests} aria-label={unmet}>
          {shown.map(({ name, status }) => (
            <li key={name}>
              <code>
                <VisibleText text={name} />
              </code>{' '}
              <span className={styles.status}>{status.toLowerCase()}</span>
            </li>
          ))}
          {missing > shown.length && <li>{cellsText.grading.more(missing - shown.length)}</li>}
        </ul>
      )}
    </div>
  );
}
