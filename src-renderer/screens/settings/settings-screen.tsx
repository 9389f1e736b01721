import { useCall } from '../../api/hooks.ts';
import { ErrorNote, Loading } from '../../components/notes.tsx';
import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useServices } from '../../services.ts';
import { settingsText } from '../../text/en/settings.ts';
import type { SettingsScreenProps } from '../props.ts';
import { AboutTab } from './about-tab.tsx';
import { GeneralTab } from './general-tab.tsx';
import { KeysTab } from './keys-tab.tsx';
import { PrivacyTab } from './privacy-tab.tsx';
import styles from './settings.module.css';
import { useChange } from './use-change.ts';

/** What a person can set, what Vivarium holds of theirs, and whose work it is. */
export default function SettingsScreen({ tab }: SettingsScreenProps) {
  const { navigate } = useServices();
  const { data, error, isPending, refetch } = useCall('settings/get', {});
  const { change, error: refused } = useChange();
  return (
    <Page
      title={settingsText.title}
      facts={<span className={styles.soft}>{settingsText.saved}</span>}
    >
      {isPending && <Loading>{settingsText.loading}</Loading>}
      {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {refused !== null && <ErrorNote error={refused} />}
      {data !== undefined && (
        <Tabs
          label={settingsText.tabs.label}
          selected={tab ?? 'general'}
          // Tabs are no steps to go back through.
          onSelect={(chosen) => navigate({ screen: 'settings', tab: chosen }, { replace: true })}
          tabs={[
            {
              id: 'general',
              label: settingsText.tabs.general,
              render: () => <GeneralTab settings={data} onChange={change} />,
            },
            {
              id: 'keys',
              label: settingsText.tabs.keys,
              render: () => (
                <KeysTab
                  own={data.shortcuts}
                  onChange={(shortcuts) => change({ shortcuts: { ...shortcuts } })}
                />
              ),
            },
            { id: 'privacy', label: settingsText.tabs.privacy, render: () => <PrivacyTab /> },
            { id: 'about', label: settingsText.tabs.about, render: () => <AboutTab /> },
          ]}
        />
      )}
    </Page>
  );
}
