import { useCall, useConnection } from '../api/hooks.ts';
import type { DoctorRow, ServerStatus } from '../../src-main/contract/index.ts';
import { IconButton } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Kbd } from '../components/kbd.tsx';
import { Pill } from '../components/pill.tsx';
import { StateMark } from '../components/state-mark.tsx';
import { formatSize } from '../format.ts';
import { formatPlace, type Place } from '../navigation.ts';
import { useKeysOf } from '../shortcuts/use-action-key.ts';
import { shellText } from '../text/en/shell.ts';
import { visibleLine } from '../visible.ts';
import styles from './header.module.css';

const MODELS_MS = 5_000;
const DOCTOR_MS = 60_000;

export interface HeaderProps {
  place: Place;
  onToggleSidebar: () => void;
  onPalette: () => void;
}

export function Header({ place, onToggleSidebar, onPalette }: HeaderProps) {
  const keys = useKeysOf('palette.open');
  return (
    <header className={styles.header}>
      <IconButton
        icon="sidebar"
        label={shellText.toggleSidebar}
        keys={useKeysOf('sidebar.toggle')}
        onPress={onToggleSidebar}
      />
      <b className={styles.name}>{shellText.app}</b>
      <Crumbs place={place} />
      <span className={styles.grow} />
      <ModelPill />
      <DockerPill />
      <span className={styles.offline}>
        <Pill title={shellText.offlineWhy}>{shellText.offline}</Pill>
      </span>
      <button
        type="button"
        className={styles.palette}
        title={shellText.palette}
        onClick={onPalette}
      >
        <Icon name="search" />
        <span className="visually-hidden">{shellText.palette}</span>
        <Kbd keys={keys} />
      </button>
    </header>
  );
}

/** Screens that have another one above them. */
const ABOVE: Partial<
  Record<Place['screen'], Place & { screen: 'sessions' | 'models' | 'evaluations' }>
> = {
  session: { screen: 'sessions' },
  model: { screen: 'models' },
  evaluation: { screen: 'evaluations' },
};

function Crumbs({ place }: { place: Place }) {
  const parent = ABOVE[place.screen] ?? null;
  const last = useLastCrumb(place);
  const first = shellText.screens[parent?.screen ?? topScreen(place)];
  return (
    <nav className={styles.crumbs} aria-label={shellText.breadcrumb}>
      <ol>
        <li>
          {parent === null ? (
            <span aria-current="page">{first}</span>
          ) : (
            <a href={formatPlace(parent)}>{first}</a>
          )}
        </li>
        {last !== null && (
          <li className="cut">
            <span aria-current="page" title={last}>
              {last}
            </span>
          </li>
        )}
      </ol>
    </nav>
  );
}

/** The name of what is open, on a screen that is about one thing. */
function useLastCrumb(place: Place): string | null {
  const session = place.screen === 'session' ? place.session : null;
  const run = place.screen === 'evaluation' ? place.run : null;
  const enabled = { session: session !== null, run: run !== null };
  const got = useCall('sessions/get', { session: session ?? '-' }, { enabled: enabled.session });
  const runs = useCall('evaluation/runs', {}, { enabled: enabled.run });
  if (place.screen === 'model') return visibleLine(place.name);
  if (session !== null) return visibleLine(got.data?.row.title ?? session);
  if (run === null) return null;
  return visibleLine(runs.data?.find(({ runId }) => runId === run)?.name ?? run);
}

type TopScreen = Exclude<Place['screen'], 'session' | 'model' | 'evaluation'>;

function topScreen({ screen }: Place): TopScreen {
  return screen === 'session' || screen === 'model' || screen === 'evaluation'
    ? 'sessions'
    : screen;
}

function ModelPill() {
  const connection = useConnection();
  const { data } = useCall(
    'models/list',
    {},
    { everyMs: MODELS_MS, enabled: connection === 'open' },
  );
  if (data === undefined) return <Pill>{shellText.model.asking}</Pill>;
  const up = data.map(({ status }) => status).filter(({ state }) => state !== 'stopped');
  const shown = up.toSorted((one, other) => rank(one) - rank(other))[0];
  return (
    <a
      className={styles.link}
      href={formatPlace(
        shown === undefined ? { screen: 'models' } : { screen: 'model', name: shown.name },
      )}
    >
      <Pill>
        {shown === undefined ? (
          <StateMark kind="server" state="stopped" words={shellText.model.none} quiet />
        ) : (
          <>
            <StateMark
              kind="server"
              state={shown.state}
              quiet={shown.state !== 'failed' && shown.state !== 'lost'}
              words={shellText.model.one(
                visibleLine(shown.name),
                shown.engine,
                shown.progress ?? shown.state,
              )}
            />
            {shown.memory !== null && (
              <span className="numbers">· {formatSize(shown.memory.measuredBytes)}</span>
            )}
            {up.length > 1 && <span>{shellText.model.more(up.length - 1)}</span>}
          </>
        )}
      </Pill>
    </a>
  );
}

function DockerPill() {
  const connection = useConnection();
  const ready = connection === 'open';
  const { data } = useCall('environment/doctor', {}, { everyMs: DOCTOR_MS, enabled: ready });
  const list = useCall('sessions/list', { limit: 40 }, { enabled: ready });
  const docker = data?.find(({ name }) => /docker/i.test(name));
  const state: DoctorRow['state'] = docker?.state ?? 'unknown';
  const running = list.data?.counts['running'] ?? 0;
  const words =
    state === 'ok' || state === 'warning'
      ? shellText.docker.fine(running)
      : state === 'missing'
        ? shellText.docker.missing
        : shellText.docker.unknown;
  return (
    <a className={styles.link} href={formatPlace({ screen: 'environment' })} title={docker?.found}>
      <Pill>
        <StateMark kind="check" state={state} words={words} quiet={state === 'ok'} />
      </Pill>
    </a>
  );
}

/** A server that works is shown before one that failed. */
function rank({ state }: ServerStatus): number {
  return ['busy', 'ready', 'loading', 'planning', 'stopping', 'failed', 'lost', 'stopped'].indexOf(
    state,
  );
}
