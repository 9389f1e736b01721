import { CodeBlock } from '../../components/code/code-block.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Section } from '../../components/page.tsx';
import { planText } from '../../text/en/model-server.ts';
import styles from './models.module.css';
import { commandText } from './plan/plan-parts.ts';

/** What would be started, to read and to copy. */
export function CommandLine(props: {
  title: string;
  words: readonly string[] | null;
  hint: string;
}) {
  const { title, words, hint } = props;
  return (
    <Section
      title={title}
      actions={
        words !== null && <CopyButton text={commandText(words)} label={planText.copyCommand} />
      }
    >
      <p className={styles.soft}>{words === null ? planText.noCommand : hint}</p>
      {words !== null && (
        <div className={styles.framed}>
          <CodeBlock text={commandText(words)} label={title} language="bash" />
        </div>
      )}
    </Section>
  );
}
