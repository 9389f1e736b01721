import type { ReviewDecision } from '../../../../src-main/contract/index.ts';
import { IconButton } from '../../../components/button.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { useKeysOf } from '../../../shortcuts/use-action-key.ts';
import { reviewText } from '../../../text/en/review.ts';
import styles from './diff.module.css';

export interface DecideButtonsProps {
  decision: ReviewDecision | 'mixed';
  /** Names of the buttons by what they lead to. */
  labels: Record<ReviewDecision, string>;
  onDecide: (decision: ReviewDecision) => void;
}

/** Accept and reject while it is open; then what was decided, and the way back. */
export function DecideButtons({ decision, labels, onDecide }: DecideButtonsProps) {
  const keys = {
    accepted: useKeysOf('review.accept'),
    rejected: useKeysOf('review.reject'),
    open: useKeysOf('review.undo'),
  };
  const button = (icon: 'check' | 'close' | 'retry', leadsTo: ReviewDecision) => (
    <IconButton
      icon={icon}
      label={labels[leadsTo]}
      keys={keys[leadsTo]}
      className={styles.tool ?? ''}
      onPress={() => onDecide(leadsTo)}
    />
  );
  const decided = decision === 'accepted' || decision === 'rejected';
  return (
    <span className={styles.decide} data-decision={decision}>
      {decided && <StateMark kind="decision" state={decision} />}
      {decision === 'mixed' && <span className={styles.mixed}>{reviewText.decide.mixed}</span>}
      {decision !== 'accepted' && button('check', 'accepted')}
      {decision !== 'rejected' && button('close', 'rejected')}
      {decision !== 'open' && button('retry', 'open')}
    </span>
  );
}
