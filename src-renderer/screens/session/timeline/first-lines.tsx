import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { linesOf } from '../../../components/code/lines.ts';
import { componentsText } from '../../../text/en/components.ts';
import styles from './timeline.module.css';

/** Lines shown at first. */
const FIRST_LINES = 16;
/** Fewer hidden lines than this are shown at once. */
const WORTH_HIDING = 4;

export interface FirstLinesProps {
  text: string;
  language: string | null;
  firstLine?: number | null;
  label: string;
}

/** Code of a call: its start, and all of it when that is asked for. Only what is shown is coloured. */
export function FirstLines({ text, language, firstLine = null, label }: FirstLinesProps) {
  const [whole, setWhole] = useState(false);
  const lines = linesOf(text);
  const cut = !whole && lines.length > FIRST_LINES + WORTH_HIDING;
  return (
    <>
      <CodeBlock
        text={cut ? lines.slice(0, FIRST_LINES).join('\n') : text}
        language={language}
        firstLine={firstLine}
        limit={1_000}
        label={label}
      />
      {cut && (
        <div className={styles.more}>
          <Button small variant="quiet" onPress={() => setWhole(true)}>
            {componentsText.showAll(lines.length)}
          </Button>
        </div>
      )}
    </>
  );
}
