import { useState } from 'react';
import { useCall } from '../../../api/hooks.ts';
import { ErrorNote, Loading } from '../../../components/notes.tsx';
import { Banner } from '../../../components/notes.tsx';
import { ToggleButton } from '../../../components/button.tsx';
import { profileText as text } from '../../../text/en/model-profile.ts';
import styles from '../models.module.css';
import { ProfileForm } from './profile-form.tsx';
import { ProfileYaml } from './profile-yaml.tsx';

/** How the model is served and driven: as a form of the common members, or as its whole text. */
export function ProfileTab({ name, isRunning }: { name: string; isRunning: boolean }) {
  const [view, setView] = useState<'form' | 'yaml'>('form');
  const read = useCall('models/profile', { name });
  const switches = (
    <div className={styles.row} role="group" aria-label={text.views}>
      {(['form', 'yaml'] as const).map((id) => (
        <ToggleButton key={id} small isSelected={view === id} onChange={() => setView(id)}>
          {text[id]}
        </ToggleButton>
      ))}
    </div>
  );
  // What is saved begins a new draft.
  const saved = read.data === undefined ? '' : read.data.yaml;
  return (
    <div className={styles.tab}>
      {isRunning && <Banner tone="info">{text.running}</Banner>}
      {read.error !== null && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && <Loading>{text.loading}</Loading>}
      {read.data !== undefined &&
        (view === 'form' ? (
          <ProfileForm key={saved} name={name} profile={read.data.profile} switches={switches} />
        ) : (
          <ProfileYaml key={saved} name={name} saved={saved} switches={switches} />
        ))}
      {read.data === undefined && read.error !== null && (
        <ProfileYaml name={name} saved="" switches={null} />
      )}
    </div>
  );
}
