import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { linesOf } from '../../../components/code/lines.ts';
import { sessionText } from '../../../text/en/session.ts';
import { withoutTerminalCodes } from '../../../visible.ts';
import styles from './timeline.module.css';

/** Lines shown at first: the end of an output says how it went. */
const LAST_LINES = 18;
/** Fewer hidden lines than this are shown at once. */
const WORTH_HIDING = 6;

export interface OutputBlockProps {
  text: string;
  label: string;
}

/** What a command printed: its end, and the rest when it is asked for. */
export function OutputBlock({ text, label }: OutputBlockProps) {
  const [whole, setWhole] = useState(false);
  const lines = linesOf(withoutTerminalCodes(text));
  const hidden = whole ? 0 : lines.length - LAST_LINES;
  const cut = hidden > WORTH_HIDING;
  return (
    <>
      {cut && (
        <div className={styles.more}>
          <Button small variant="quiet" onPress={() => setWhole(true)}>
            {sessionText.call.earlier(hidden)}
          </Button>
        </div>
      )}
      <CodeBlock
        text={(cut ? lines.slice(hidden) : lines).join('\n')}
        limit={whole ? 1_000 : null}
        label={label}
      />
    </>
  );
}
