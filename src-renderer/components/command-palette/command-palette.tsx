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
import { type Place, sessionPlace } from '../../navigation.ts';
import { useServices } from '../../services.ts';
import { actionsText } from '../../text/en/actions.ts';
import { shellText } from '../../text/en/shell.ts';
import { lastName, visibleLine } from '../../visible.ts';
import { classes } from '../classes.ts';
import { Icon, type IconName } from '../icon.tsx';
import { Kbd } from '../kbd.tsx';
import overlay from '../overlay.module.css';
import { StateMark } from '../state-mark.tsx';
import styles from './command-palette.module.css';
import { type Entry, ranked } from './rank.ts';

const FOUND_SESSIONS = 8;

/** One line of the palette. */
interface Choice extends Entry {
  mark: React.ReactNode;
  end: React.ReactNode;
  run: () => void;
}

interface Group {
  title: string;
  choices: Choice[];
}

const PLACES: Array<
  [screen: 'sessions' | 'models' | 'evaluations' | 'environment' | 'settings', icon: IconName]
> = [
  ['sessions', 'sessions'],
  ['models', 'models'],
  ['evaluations', 'evaluations'],
  ['environment', 'environment'],
  ['settings', 'settings'],
];

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
  const groups: Group[] = [
    { title: shellText.search.places, choices: ranked(usePlaces(), typed) },
    { title: shellText.search.actions, choices: ranked(useOfferedActions(), typed) },
    { title: shellText.search.sessions, choices: useFoundSessions(typed) },
  ];
  const choose = (id: string) => {
    const choice = groups.flatMap(({ choices }) => choices).find((one) => one.id === id);
    onClose();
    // After the dialog has given the focus back: what is done may move it on.
    setTimeout(() => choice?.run());
  };
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      {/* eslint-disable-next-line jsx-a11y/no-autofocus -- it was opened to type into */}
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
        {groups
          .filter(({ choices }) => choices.length > 0)
          .map(({ title, choices }) => (
            <MenuSection key={title}>
              <Header className={styles.head ?? ''}>{title}</Header>
              {choices.map(({ id, words, mark, end }) => (
                <MenuItem key={id} id={id} textValue={words} className={overlay.item ?? ''}>
                  {mark}
                  <span className="cut">{words}</span>
                  {end}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
      </Menu>
    </Autocomplete>
  );
}

function usePlaces(): Choice[] {
  const { navigate } = useServices();
  return PLACES.map(([screen, icon]) => ({
    id: `place ${screen}`,
    words: shellText.screens[screen],
    mark: <Icon name={icon} />,
    end: <span />,
    run: () => navigate({ screen } satisfies Place),
  }));
}

function useOfferedActions(): Choice[] {
  const { shortcuts } = useServices();
  // Taken once: opening the palette changes nothing of what is offered behind it.
  const [offered] = useState(() => shortcuts.offered());
  return offered
    .filter((id) => id !== 'palette.open' && !id.startsWith('go.'))
    .map((id) => ({
      id: `action ${id}`,
      words: actionsText.names[id],
      mark: <span />,
      end: <Kbd keys={shortcuts.keysOf(id)} />,
      run: () => void shortcuts.run(id),
    }));
}

function useFoundSessions(typed: string): Choice[] {
  const { navigate } = useServices();
  const text = useDeferredValue(typed.trim());
  const enabled = useConnection() === 'open';
  const { data } = useCall(
    'sessions/list',
    { text, limit: FOUND_SESSIONS },
    { enabled, keep: true },
  );
  return (data?.rows ?? []).map(({ sessionId, title, state, repository }) => ({
    id: `session ${sessionId}`,
    words: visibleLine(title),
    mark: <StateMark kind="session" state={state} shapeOnly />,
    end: <span className={styles.repository}>{visibleLine(lastName(repository))}</span>,
    run: () => navigate(sessionPlace(sessionId)),
  }));
}
