import { Dialog } from '../components/dialog.tsx';
import { Kbd } from '../components/kbd.tsx';
import { useServices } from '../services.ts';
import { ACTION_IDS, ACTIONS, type ActionGroup } from '../shortcuts/actions.ts';
import { isApple, keyLabels } from '../shortcuts/keys.ts';
import { actionsText } from '../text/en/actions.ts';
import { shellText } from '../text/en/shell.ts';
import styles from './shortcut-sheet.module.css';

const GROUPS = Object.keys(actionsText.groups) as ActionGroup[];

const LIST_KEYS: Array<[words: string, keys: string[]]> = [
  [actionsText.listKeys.move, ['arrowdown', 'arrowup', 'j', 'k']],
  [actionsText.listKeys.page, ['pageup', 'pagedown']],
  [actionsText.listKeys.ends, ['home', 'end']],
  [actionsText.listKeys.open, ['enter']],
];

/** All keys there are, as they are now. */
export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { shortcuts } = useServices();
  return (
    <Dialog title={shellText.sheet.title} isOpen={isOpen} onClose={onClose} size="large">
      <p className={styles.words}>{shellText.sheet.words}</p>
      <div className={styles.groups}>
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{actionsText.groups[group]}</h3>
            <dl className={styles.list}>
              {ACTION_IDS.filter((id) => ACTIONS[id].group === group).map((id) => (
                <Entry key={id} words={actionsText.names[id]} keys={[shortcuts.keysOf(id)]} />
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>{actionsText.listKeys.title}</h3>
          <dl className={styles.list}>
            {LIST_KEYS.map(([words, keys]) => (
              <Entry key={words} words={words} keys={keys} />
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}

function Entry({ words, keys }: { words: string; keys: string[] }) {
  return (
    <div className={styles.entry}>
      <dt>{words}</dt>
      <dd>
        {keys.map((one) => (
          <span key={one}>
            <Kbd keys={one} />
            <span className="visually-hidden">{keyLabels(one, isApple()).join(' ')}</span>
          </span>
        ))}
      </dd>
    </div>
  );
}
