import { useCall, useConnection } from '../api/hooks.ts';
import { classes } from '../components/classes.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { formatPlace, type Place } from '../navigation.ts';
import { shellText } from '../text/en/shell.ts';
import { RecentSessions } from './recent-sessions.tsx';
import styles from './sidebar.module.css';

const ENTRIES = [
  { screen: 'sessions', icon: 'sessions' },
  { screen: 'models', icon: 'models' },
  { screen: 'evaluations', icon: 'evaluations' },
  { screen: 'environment', icon: 'environment' },
  { screen: 'settings', icon: 'settings' },
] as const satisfies Array<{ screen: Place['screen']; icon: IconName }>;

/** Rows the sidebar asks for: more than a tall screen shows. */
export const RECENT = { limit: 40 };

export function Sidebar({ place, onMoved }: { place: Place; onMoved: () => void }) {
  const enabled = useConnection() === 'open';
  const sessions = useCall('sessions/list', RECENT, { enabled });
  const models = useCall('models/list', {}, { enabled });
  const counts: Partial<Record<Place['screen'], number>> = {
    ...(sessions.data === undefined ? {} : { sessions: sessions.data.total }),
    ...(models.data === undefined ? {} : { models: models.data.length }),
  };
  return (
    // A press on a link inside closes the sidebar where it lies over the content.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      className={styles.sidebar}
      data-part="sidebar"
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('a') !== null) onMoved();
      }}
    >
      <nav className={styles.nav} aria-label={shellText.navigation}>
        <a
          className={classes(styles.entry, styles.new)}
          href={formatPlace({ screen: 'new', repository: null })}
          aria-current={place.screen === 'new' ? 'page' : undefined}
          title={shellText.newFix}
        >
          <Icon name="plus" />
          <span className={styles.word} data-part="label">
            {shellText.newFix}
          </span>
        </a>
        {ENTRIES.map(({ screen, icon }) => (
          <a
            key={screen}
            className={styles.entry}
            href={formatPlace({ screen })}
            aria-current={isCurrent(place, screen) ? 'page' : undefined}
            title={shellText.screens[screen]}
          >
            <Icon name={icon} />
            <span className={styles.word} data-part="label">
              {shellText.screens[screen]}
            </span>
            {counts[screen] !== undefined && (
              <span className={styles.count} data-part="word">
                {counts[screen].toLocaleString('en-US')}
              </span>
            )}
          </a>
        ))}
      </nav>
      <RecentSessions
        query={sessions}
        current={place.screen === 'session' ? place.session : null}
      />
    </div>
  );
}

function isCurrent(place: Place, screen: Place['screen']): boolean {
  if (place.screen === 'session') return screen === 'sessions';
  if (place.screen === 'evaluation') return screen === 'evaluations';
  return place.screen === 'model' ? screen === 'models' : place.screen === screen;
}
