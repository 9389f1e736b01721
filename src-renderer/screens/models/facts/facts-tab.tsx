import { Section } from '../../../components/page.tsx';
import { modelsText } from '../../../text/en/models.ts';
import styles from '../models.module.css';
import type { ModelEntry } from '../use-models.ts';
import { Files } from './files.tsx';
import { Licences } from './licences.tsx';
import { ModelFactsList, PlaceFacts } from './model-facts.tsx';
import { ServerFacts } from './server-facts.tsx';

/** What the files say, what they may be used for, where they are, and whether they are still the same. */
export function FactsTab({ entry }: { entry: ModelEntry }) {
  const { model, status } = entry;
  return (
    <div className={styles.tab}>
      <div className={styles.columns}>
        <Section title={modelsText.facts.model}>
          <ModelFactsList model={model} />
        </Section>
        <div className={styles.parts}>
          <Section title={modelsText.facts.server}>
            <ServerFacts status={status} />
          </Section>
          <Section title={modelsText.licences.title}>
            <Licences statements={model.facts.licences} />
          </Section>
          <Section title={modelsText.facts.where}>
            <PlaceFacts model={model} />
          </Section>
        </div>
      </div>
      <Files model={model} />
    </div>
  );
}
