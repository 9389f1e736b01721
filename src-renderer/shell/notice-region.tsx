import { useSyncExternalStore } from 'react';
import { Button, IconButton } from '../components/button.tsx';
import { classes } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import { VisibleText } from '../components/visible-text.tsx';
import { useNotices } from '../services.ts';
import { componentsText } from '../text/en/components.ts';
import styles from './notice-region.module.css';

const ICONS = { info: 'info', ok: 'check', bad: 'warning' } as const;

/** Notices over the page, and the live region that tells changes of state. */
export function NoticeRegion() {
  const notices = useNotices();
  const shown = useSyncExternalStore(notices.subscribe, notices.shown);
  const announced = useSyncExternalStore(notices.subscribe, notices.announced);
  return (
    <>
      <div className="visually-hidden" role="status">
        {announced}
      </div>
      <section className={styles.region} aria-label={componentsText.notices} aria-live="polite">
        {shown.map(({ id, tone, text, action }) => (
          <div key={id} className={classes(styles.notice, styles[tone])}>
            <Icon name={ICONS[tone]} />
            <p className={styles.text}>
              <VisibleText text={text} />
            </p>
            {action !== undefined && (
              <Button
                small
                onPress={() => {
                  notices.dismiss(id);
                  action.run();
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton
              icon="close"
              label={componentsText.dismiss}
              onPress={() => notices.dismiss(id)}
            />
          </div>
        ))}
      </section>
    </>
  );
}
