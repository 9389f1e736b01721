import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Kbd } from '../../components/kbd.tsx';
import { DataTable } from '../../components/list/data-table.tsx';
import { Banner } from '../../components/notes.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import {
  ACTION_IDS,
  type ActionGroup,
  type ActionId,
  ACTIONS,
  keysOf,
} from '../../shortcuts/actions.ts';
import { actionsText } from '../../text/en/actions.ts';
import { settingsText } from '../../text/en/settings.ts';
import { isReserved, keyConflicts, type OwnKeys, withKeys } from './key-draft.ts';
import styles from './settings.module.css';
import { useRecorder } from './use-recorder.ts';

const text = settingsText.keys;
const GROUPS = Object.keys(actionsText.groups) as ActionGroup[];

/** Every action with its keys; those that stand in each other's way are told. */
export function KeysTab({ own, onChange }: { own: OwnKeys; onChange: (own: OwnKeys) => void }) {
  const [changed, setChanged] = useState<ActionId | null>(null);
  const conflicts = keyConflicts(own);
  const row = (id: ActionId): Row => ({
    id,
    own,
    conflicts: conflicts.get(id) ?? [],
    isChanged: id === changed,
    onBegin: () => setChanged(id),
    onEnd: (keys) => {
      setChanged(null);
      if (keys !== null) onChange(withKeys(own, id, keys));
    },
    onReset: () => onChange(withKeys(own, id, null)),
  });
  return (
    <div className={styles.tab}>
      <div className={styles.head}>
        <p className={styles.soft}>{text.words}</p>
        <Button
          isDisabled={Object.keys(own).length === 0}
          onPress={() => onChange({})}
          icon="retry"
        >
          {text.resetAll}
        </Button>
      </div>
      {conflicts.size > 0 && <Banner tone="warn">{text.conflicts(pairs(conflicts))}</Banner>}
      <div className={styles.groups}>
        {GROUPS.map((group) => (
          <DataTable
            key={group}
            caption={actionsText.groups[group]}
            rows={ACTION_IDS.filter((id) => ACTIONS[id].group === group).map(row)}
            keyOf={({ id }) => id}
            columns={[
              {
                id: 'action',
                header: text.action,
                render: ({ id }) => <span className={styles.cell}>{actionsText.names[id]}</span>,
              },
              { id: 'keys', header: text.keys, render: (one) => <Keys {...one} /> },
              { id: 'change', header: text.change, render: (one) => <Buttons {...one} /> },
            ]}
          />
        ))}
      </div>
    </div>
  );
}

interface Row {
  id: ActionId;
  own: OwnKeys;
  conflicts: ActionId[];
  isChanged: boolean;
  onBegin: () => void;
  /** `null` = as it was. */
  onEnd: (keys: string | null) => void;
  onReset: () => void;
}

function Keys(row: Row) {
  const keys = keysOf(row.id, row.own);
  if (row.isChanged) return <Recorder {...row} />;
  return (
    <div className={styles.keys}>
      <span className={styles.row}>
        {keys.split(' ').map((chord, index) => (
          // eslint-disable-next-line react/no-array-index-key -- two at most, in their order
          <Kbd key={index} keys={chord} />
        ))}
        {row.id in row.own && <span className={styles.soft}>{text.own}</span>}
      </span>
      {row.conflicts.map((other) => (
        <StateMark
          key={other}
          kind="check"
          state="warning"
          words={text.conflict(actionsText.names[other])}
        />
      ))}
      {isReserved(keys) && <StateMark kind="check" state="warning" words={text.reserved} />}
    </div>
  );
}

function Recorder({ id, onEnd }: Row) {
  const first = useRecorder(onEnd);
  return (
    <span
      className={styles.recording}
      role="status"
      aria-label={text.pressOf(actionsText.names[id])}
    >
      {first === null ? (
        text.press
      ) : (
        <>
          <Kbd keys={first} /> {text.again}
        </>
      )}
    </span>
  );
}

function Buttons({ id, own, isChanged, onBegin, onReset }: Row) {
  const name = actionsText.names[id];
  return (
    <span className={styles.row}>
      <Button small isDisabled={isChanged} onPress={onBegin} aria-label={text.changeOf(name)}>
        {text.change}
      </Button>
      {id in own && (
        <Button small variant="quiet" onPress={onReset} aria-label={text.resetOf(name)}>
          {text.reset}
        </Button>
      )}
    </span>
  );
}

function pairs(conflicts: Map<ActionId, ActionId[]>): number {
  return [...conflicts.values()].flat().length / 2;
}
