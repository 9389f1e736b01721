import type { RenderToken } from 'react-diff-view';
import { Button } from '../../../components/button.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { reviewText } from '../../../text/en/review.ts';
import type { LineToken } from '../patch/tokens.ts';
import styles from './diff.module.css';

/** Most of code: nothing in it can hide, or turn the direction of what stands beside it. */
const HARMLESS = /^[\t -~]*$/;

/** Draws the pieces of a line; `showLine` opens one that is too long. */
export function renderLineToken(showLine: (line: string) => void): RenderToken {
  return (given, _default, index) => {
    const token = given as unknown as LineToken;
    if (token.type === 'cut') {
      return (
        <Button key={index} small variant="quiet" onPress={() => showLine(token.line)}>
          {reviewText.lines.whole(token.rest)}
        </Button>
      );
    }
    const text = HARMLESS.test(token.value) ? token.value : <VisibleText text={token.value} />;
    const inner = token.edited ? <span className={styles.edit}>{text}</span> : text;
    if (token.className === null) return <span key={index}>{inner}</span>;
    return (
      <span key={index} className={token.className}>
        {inner}
      </span>
    );
  };
}
