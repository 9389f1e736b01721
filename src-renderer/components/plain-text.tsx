import { useMemo } from 'react';
import { CodeBlock } from './code/code-block.tsx';
import styles from './plain-text.module.css';
import { proseParts } from './prose.ts';
import { VisibleText } from './visible-text.tsx';

/** What a person or a model wrote: plain text, with fenced code as code. Nothing becomes a link or HTML. */
export function PlainText({ text }: { text: string }) {
  const parts = useMemo(() => proseParts(text), [text]);
  return (
    <div className={styles.text}>
      {parts.map((part, index) =>
        part.kind === 'code' ? (
          // eslint-disable-next-line react/no-array-index-key -- parts of one text never move
          <div key={index} className={styles.code}>
            <CodeBlock text={part.text} language={part.language} />
          </div>
        ) : (
          // eslint-disable-next-line react/no-array-index-key
          <p key={index}>
            <VisibleText text={part.text} />
          </p>
        ),
      )}
    </div>
  );
}
