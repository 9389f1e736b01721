import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useServices } from '../../services.ts';
import { pathFieldText } from '../../text/en/path-field.ts';
import { PathDialog } from './path-dialog.tsx';
import type { Pick } from './pick.ts';
import styles from './path-field.module.css';

export interface PathFieldProps {
  label: string;
  hint?: ReactNode;
  placeholder?: string;
  error?: string | null;
  value: string;
  onChange: (path: string) => void;
  pick: Pick;
  isDisabled?: boolean;
}

/** A path of this machine: typed, or picked with the shell's own dialog or ours. */
export function PathField(props: PathFieldProps) {
  const [browsing, setBrowsing] = useState(false);
  const { value, onChange, pick, isDisabled = false } = props;
  return (
    <div className={styles.field}>
      <div className={styles.input}>
        <TextField
          code
          label={props.label}
          hint={props.hint}
          error={props.error ?? null}
          value={value}
          onChange={onChange}
          isDisabled={isDisabled}
          {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
        />
      </div>
      <div className={styles.buttons}>
        <PickButtons
          {...{ pick, isDisabled, onPicked: onChange }}
          title={props.label}
          onBrowse={() => setBrowsing(true)}
        />
      </div>
      {browsing && (
        <PathDialog
          pick={pick}
          from={value}
          onClose={() => setBrowsing(false)}
          onPick={(path) => {
            onChange(path);
            setBrowsing(false);
          }}
        />
      )}
    </div>
  );
}

/** The shell's dialogs where it has them; each takes files or folders only. */
function PickButtons(props: {
  pick: Pick;
  title: string;
  isDisabled: boolean;
  onPicked: (path: string) => void;
  onBrowse: () => void;
}) {
  const { pickFile, pickFolder } = useServices().platform;
  const { pick, title, isDisabled, onPicked, onBrowse } = props;
  const take = (picked: Promise<string | null>) => {
    void picked.then((path) => {
      if (path !== null) onPicked(path);
    });
  };
  const files = pick.extensions.length > 0 && pickFile !== undefined;
  const folders = pick.folders && pickFolder !== undefined;
  if (!files && !folders) {
    return (
      <Button icon="folder" isDisabled={isDisabled} onPress={onBrowse}>
        {pathFieldText.browse}
      </Button>
    );
  }
  return (
    <>
      {files && (
        <Button
          icon="file"
          isDisabled={isDisabled}
          onPress={() => take(pickFile({ title, extensions: pick.extensions }))}
        >
          {pathFieldText.nativeFile}
        </Button>
      )}
      {folders && (
        <Button icon="folder" isDisabled={isDisabled} onPress={() => take(pickFolder(title))}>
          {pathFieldText.nativeFolder}
        </Button>
      )}
    </>
  );
}
