import { useState } from 'react';
import { Banner } from '../../components/notes.tsx';
import { Section } from '../../components/page.tsx';
import { Switch } from '../../components/toggles.tsx';
import { useServices } from '../../services.ts';
import { settingsText } from '../../text/en/settings.ts';
import type { GeneralProps } from './general-props.ts';
import styles from './settings.module.css';

/** Notes outside the page; the shell is asked when a person switches them on. */
export function Notifications({ settings, onChange }: GeneralProps) {
  const text = settingsText.notifications;
  const { platform } = useServices();
  const [refused, setRefused] = useState(false);
  const set = (notifications: boolean) => {
    onChange({ notifications });
    setRefused(false);
    if (!notifications || platform.mayNotify === undefined) return;
    platform.mayNotify(true).then(
      (may) => setRefused(!may),
      () => setRefused(true),
    );
  };
  return (
    <Section title={text.title}>
      <Switch isSelected={settings.notifications} onChange={set}>
        {text.words}
      </Switch>
      {refused && <Banner tone="warn">{text.refused}</Banner>}
      <p className={styles.soft}>{text.inside}</p>
    </Section>
  );
}
