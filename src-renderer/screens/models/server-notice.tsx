import { errorFacts } from '../../api/call-error.ts';
import { Button } from '../../components/button.tsx';
import { Elapsed } from '../../components/figures.tsx';
import { Banner, ErrorNote } from '../../components/notes.tsx';
import { Remedy } from '../../components/remedy.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { componentsText } from '../../text/en/components.ts';
import { modelsText } from '../../text/en/models.ts';
import { serverText } from '../../text/en/model-server.ts';
import { isUp } from './figures.ts';
import styles from './server-notice.module.css';
import type { Server } from './use-server.ts';

/** What a person should know about the server now: it loads, it failed, it warns. */
export function ServerNotice({ server, onLog }: { server: Server; onLog: () => void }) {
  const { status, alert } = server;
  const failure = status.state === 'failed' || status.state === 'lost' ? status : null;
  const shows = server.isStarting || alert !== null || server.error !== null || failure !== null;
  if (!shows && !isLoading(status.state)) return null;
  return (
    <div className={styles.notices}>
      {(server.isStarting || isLoading(status.state)) && <Loads server={server} onLog={onLog} />}
      {alert !== null && (
        <Banner tone="warn">
          <p>
            <b>{serverText.alert}</b> <VisibleText text={alert} />
          </p>
        </Banner>
      )}
      {server.error !== null && <Refused server={server} />}
      {failure !== null && !server.isStarting && <Failed server={server} onLog={onLog} />}
    </div>
  );
}

function isLoading(state: string): boolean {
  return state === 'planning' || state === 'loading';
}

function Loads({ server, onLog }: { server: Server; onLog: () => void }) {
  const { status, state } = server;
  const loading = state === 'loading' ? state : 'planning';
  return (
    <div className={styles.loads} role="status">
      <StateMark kind="server" state={loading} />
      {status.progress !== null && (
        <span className={styles.progress}>
          <VisibleText text={status.progress} />
        </span>
      )}
      <span className={styles.time}>
        {serverText.loadingFor} <Elapsed since={status.since} />
      </span>
      <Button small variant="quiet" icon="terminal" onPress={onLog}>
        {modelsText.tabs.log}
      </Button>
    </div>
  );
}

/** A start that was refused before anything ran, or a stop of what is in use. */
function Refused({ server }: { server: Server }) {
  const { code } = errorFacts(server.error);
  const doesNotFit = server.failed === 'start' && code === 'does_not_fit';
  const inUse = server.failed === 'stop' && code === 'server_running';
  // What the server itself said is told below, with its log.
  if (server.failed === 'start' && server.status.failure !== null) return null;
  return (
    <div className={styles.refused}>
      <ErrorNote error={server.error} />
      <div className={styles.answers}>
        {doesNotFit && (
          <Button onPress={() => server.start({ force: true })}>{serverText.startAnyway}</Button>
        )}
        {inUse && (
          <Button onPress={() => server.stop({ force: true })}>{serverText.stopAnyway}</Button>
        )}
        <Button onPress={server.dismiss}>{componentsText.dismiss}</Button>
      </div>
    </div>
  );
}

function Failed({ server, onLog }: { server: Server; onLog: () => void }) {
  const { state, failure } = server.status;
  const title = state === 'lost' ? serverText.lost : serverText.failed;
  return (
    <Banner
      tone="bad"
      action={
        isUp({ state }) ? null : (
          <Button small icon="terminal" onPress={onLog}>
            {modelsText.tabs.log}
          </Button>
        )
      }
    >
      <p>
        <b>{title}</b>
      </p>
      {failure === null ? (
        <p>{serverText.lostNext}</p>
      ) : (
        <>
          <p>
            <VisibleText text={failure.cause} />
          </p>
          <p>
            <b>{serverText.remedy}</b> <Remedy text={failure.remedy} />
          </p>
          {failure.line !== '' && (
            <p className={styles.line}>
              <span className="visually-hidden">{serverText.firstError}</span>
              <VisibleText text={failure.line} />
            </p>
          )}
        </>
      )}
    </Banner>
  );
}
