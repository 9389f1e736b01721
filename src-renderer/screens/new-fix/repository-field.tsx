import { useState } from 'react';
import { useCall, useConnection } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { useNow } from '../../components/figures.tsx';
import { ErrorNote } from '../../components/notes.tsx';
import { type Option, ComboBox } from '../../components/select.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatAge } from '../../format.ts';
import { useServices } from '../../services.ts';
import { newFixText } from '../../text/en/new-fix.ts';
import { isAbsolute } from './fix-form.ts';
import { FolderDialog } from './folder-dialog.tsx';
import styles from './new-fix.module.css';
import type { FixFormState } from './use-fix-form.ts';

const MINUTE_MS = 60_000;

/** Where the repository lies: typed, of the recent ones, picked or dropped; and what it is. */
export function RepositoryField({ state }: { state: FixFormState }) {
  const { platform } = useServices();
  const enabled = useConnection() === 'open';
  const recent = useCall('repositories/recent', {}, { enabled });
  const [browsing, setBrowsing] = useState(false);
  const now = useNow(MINUTE_MS);
  const set = (repository: string) => state.set({ repository });
  const options: Array<Option<string>> = (recent.data ?? []).map(({ path, usedAt }) => ({
    id: path,
    label: path,
    detail: newFixText.usedAt(formatAge(usedAt, now)),
  }));
  const choose = async () => {
    if (platform.pickFolder === undefined) return setBrowsing(true);
    const picked = await platform.pickFolder(newFixText.chooseTitle);
    if (picked !== null) set(picked);
    return undefined;
  };
  return (
    <div className={styles.repository}>
      <div className={styles.withButton}>
        <ComboBox
          label={newFixText.repository}
          hint={newFixText.repositoryHint}
          value={state.form.repository}
          onChange={set}
          options={options}
          placeholder={newFixText.repositoryPlaceholder}
          code
        />
        <Button icon="folder" onPress={() => void choose()}>
          {newFixText.choose}
        </Button>
      </div>
      <Facts state={state} />
      {browsing && (
        <FolderDialog
          start={isAbsolute(state.form.repository) ? state.form.repository.trim() : null}
          onClose={() => setBrowsing(false)}
          onChoose={(path) => {
            setBrowsing(false);
            set(path);
          }}
        />
      )}
    </div>
  );
}

function Facts({ state }: { state: FixFormState }) {
  const { repository, path } = state;
  if (!isAbsolute(path)) return null;
  if (repository.isError) return <ErrorNote error={repository.error} />;
  const { data } = repository;
  if (data === undefined) return <p className={styles.soft}>{newFixText.inspecting}</p>;
  const { head, dirty, settings } = data;
  const names = Object.keys(settings);
  return (
    <p className={styles.facts} role="status">
      <span>
        {head.branch === null ? (
          newFixText.detached
        ) : (
          <>
            {newFixText.branch}{' '}
            <b>
              <VisibleText text={head.branch} />
            </b>
          </>
        )}
      </span>
      <span className="cut">
        {newFixText.commit} <b>{head.commit.slice(0, 7)}</b> <VisibleText text={head.subject} />
      </span>
      <span>
        {dirty.modified + dirty.untracked === 0
          ? newFixText.clean
          : newFixText.dirty(dirty.modified, dirty.untracked)}
      </span>
      {names.length > 0 && <span>{newFixText.ownSettings(names.join(', '))}</span>}
    </p>
  );
}
