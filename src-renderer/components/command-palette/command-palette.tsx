import { useDeferredValue, useState } from 'react';
import {
  Autocomplete,
  Dialog as AriaDialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { useCall, useConnection } from '../../api/hooks.ts';
import { formatPlace, type Place, parsePlace, sessionPlace } from '../../navigation.ts';
import { useServices } from '../../services.ts';
import { isActionId } from '../../shortcuts/actions.ts';
import { actionsText } from '../../text/en/actions.ts';
import { shellText } from '../../text/en/shell.ts';
import { visibleLine } from '../../visible.ts';
import { classes } from '../classes.ts';
import { Icon, type IconName } from '../icon.tsx';
import { Kbd } from '../kbd.tsx';
import overlay from '../overlay.module.css';
import { StateMark } from '../state-mark.tsx';
import styles from './command-palette.module.css';
import { type Entry, ranked } from './rank.ts';

const FOUND_SESSIONS = 8;

const PLACES: Array<Entry & { place: Place; icon: IconName }> = (
  [
    ['sessions', 'sessions'],
    ['models', 'models'],
    ['environment', 'environment'],
    ['settings', 'settings'],
  ] as const
).map(([screen, icon]) => ({
  id: `place ${screen}`,
  words: shellText.screens[screen],
  place: { screen },
  icon,
}));

/** Finds places, actions that can be done now, and sessions, by typing. */
export function CommandPalette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <ModalOverlay
      className={classes(overlay.backdrop, styles.backdrop)}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={classes(overlay.modal, overlay.medium)}>
        <AriaDialog className={overlay.dialog ?? ''} aria-label={shellText.palette}>
          <Finder onClose={onClose} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function Finder({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const { navigate, shortcuts } = useServices();
  const actions = useOfferedActions();
  const places = ranked(PLACES, typed);
  const sessions = useFoundSessions(typed);
  const choose = (id: string) => {
    onClose();
    const [kind, name = ''] = id.split(' ', 2);
    // After the dialog has given the focus back: the action may move it on.
    setTimeout(() => {
      if (kind === 'action' && isActionId(name)) shortcuts.run(name);
      else if (kind === 'session') navigate(sessionPlace(name));
      else navigate(parsePlace(formatPlace({ screen: name } as Place)));
    });
  };
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped} disableAutoFocusFirst={false}>
      <SearchField className={styles.search ?? ''} aria-label={shellText.search.label} autoFocus>
        <Icon name="search" />
        <Input className={styles.input ?? ''} placeholder={shellText.search.label} />
      </SearchField>
      <Menu
        className={styles.list ?? ''}
        aria-label={shellText.search.label}
        onAction={(key) => choose(String(key))}
        renderEmptyState={() => <div className={overlay.empty}>{shellText.search.empty}</div>}
      >
        {places.length > 0 && (
          <MenuSection>
            <Header className={styles.head ?? ''}>{shellText.search.places}</Header>
            {places.map(({ id, words, icon }) => (
              <MenuItem key={id} id={id} textValue={words} className={overlay.item ?? ''}>
                <Icon name={icon} />
                <span>{words}</span>
              </MenuItem>
            ))}
          </MenuSection>
        )}
        {ranked(actions, typed).length > 0 && (
          <MenuSection>
            <Header className={styles.head ?? ''}>{shellText.search.actions}</Header>
            {ranked(actions, typed).map(({ id, words, keys }) => (
              <MenuItem key={id} id={id} textValue={words} className={overlay.item ?? ''}>
                <span />
                <span>{words}</span>
                <Kbd keys={keys} />
              </MenuItem>
            ))}
          </MenuSection>
        )}
        {sessions.length > 0 && (
          <MenuSection>
            <Header className={styles.head ?? ''}>{shellText.search.sessions}</Header>
            {sessions.map((row) => (
              <MenuItem
                key={row.sessionId}
                id={`session ${row.sessionId}`}
                textValue={visibleLine(row.title)}
                className={overlay.item ?? ''}
              >
                <StateMark kind="session" state={row.state} shapeOnly />
                <span className="cut">{visibleLine(row.title)}</span>
                <span className={styles.repository}>{visibleLine(row.repository)}</span>
              </MenuItem>
            ))}
          </MenuSection>
        )}
      </Menu>
    </Autocomplete>
  );
}

function useOfferedActions() {
  const { shortcuts } = useServices();
  // Taken once: opening the palette changes nothing of what is offered behind it.
  const [offered] = useState(() => shortcuts.offered());
  return offered
    .filter((id) => id !== 'palette.open' && !id.startsWith('go.'))
    .map((id) => ({
      id: `action ${id}`,
      words: actionsText.names[id],
      keys: shortcuts.keysOf(id),
    }));
}

function useFoundSessions(typed: string) {
  const text = useDeferredValue(typed.trim());
  const enabled = useConnection() === 'open';
  const { data } = useCall(
    'sessions/list',
    { text, limit: FOUND_SESSIONS },
    { enabled, keep: true },
  );
  return data?.rows ?? [];
}
