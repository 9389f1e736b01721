import { Button, IconButton } from '../../../components/button.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { profileText } from '../../../text/en/model-profile.ts';
import type { FlagRow } from './profile-draft.ts';
import styles from './profile.module.css';

const text = profileText.flags;

/** Further flags of the engine, one a row; what may not be said is refused when it is planned. */
export function FlagsEditor(props: { rows: FlagRow[]; onChange: (rows: FlagRow[]) => void }) {
  const { rows, onChange } = props;
  const change = (id: number, what: Partial<FlagRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...what } : row)));
  const add = () => {
    const id = Math.max(-1, ...rows.map((row) => row.id)) + 1;
    onChange([...rows, { id, name: '', value: '' }]);
  };
  return (
    <div className={styles.flags}>
      <p className={styles.soft}>{rows.length === 0 ? text.none : text.valueHint}</p>
      {rows.map(({ id, name, value }, index) => (
        <div key={id} className={styles.flag}>
          <TextField
            code
            hideLabel
            label={text.nameOf(index)}
            placeholder={text.name}
            value={name}
            onChange={(next) => change(id, { name: next })}
          />
          <TextField
            code
            hideLabel
            label={text.valueOf(index)}
            placeholder={text.value}
            value={value}
            onChange={(next) => change(id, { value: next })}
          />
          <IconButton
            icon="trash"
            label={text.remove(name)}
            onPress={() => onChange(rows.filter((row) => row.id !== id))}
          />
        </div>
      ))}
      <Button small icon="plus" onPress={add}>
        {text.add}
      </Button>
    </div>
  );
}
