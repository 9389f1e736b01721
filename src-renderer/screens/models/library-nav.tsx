import { IconButton } from '../../components/button.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatSize } from '../../format.ts';
import { formatPlace } from '../../navigation.ts';
import { addModelText, modelsText } from '../../text/en/models.ts';
import { fileBytes, formatParameters } from './figures.ts';
import styles from './models.module.css';
import type { ModelEntry } from './use-models.ts';

/** The library beside an open model, where the page is wide. */
export function LibraryNav(props: { entries: ModelEntry[]; name: string; onAdd: () => void }) {
  return (
    <nav className={styles.library} aria-label={modelsText.list}>
      <div className={styles.libraryHead}>
        <span>{modelsText.count(props.entries.length)}</span>
        <IconButton icon="plus" label={addModelText.action} onPress={props.onAdd} />
      </div>
      <ul className={styles.libraryList}>
        {props.entries.map(({ model, status }) => (
          <li key={model.name}>
            <a
              className={styles.item}
              href={formatPlace({ screen: 'model', name: model.name })}
              aria-current={model.name === props.name ? 'page' : undefined}
            >
              <span className="cut">
                <VisibleText text={model.name} />
              </span>
              <StateMark kind="server" state={status.state} />
              <span className={styles.itemFacts}>
                <span className="numbers">{formatParameters(model.facts.parameters)}</span>
                <VisibleText text={model.facts.quantization} />
                <span className="numbers">{formatSize(fileBytes(model))}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
