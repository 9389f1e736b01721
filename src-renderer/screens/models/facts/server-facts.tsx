import type { ServerStatus } from '../../../../src-main/contract/index.ts';
import { Elapsed } from '../../../components/figures.tsx';
import { type Fact, KeyValue } from '../../../components/key-value.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatCount, formatDuration, formatShare, formatSize } from '../../../format.ts';
import { modelsText } from '../../../text/en/models.ts';
import { serverText } from '../../../text/en/model-server.ts';
import { isUp } from '../figures.ts';
import styles from '../models.module.css';

const text = modelsText.facts;

/** What is known of the server while it is up. */
export function ServerFacts({ status }: { status: ServerStatus }) {
  if (!isUp(status)) return <p className={styles.soft}>{text.notRunning}</p>;
  return (
    <KeyValue
      facts={[
        {
          key: modelsText.columns.state,
          value: (
            <span className={styles.row}>
              <StateMark kind="server" state={status.state} />
              <span className={styles.soft}>
                {serverText.since} <Elapsed since={status.since} />
              </span>
            </span>
          ),
        },
        { key: text.engine, value: `${status.engine} ${status.version ?? ''}`.trim() },
        ...ownerFacts(status),
        ...windowFacts(status),
        { key: text.users, value: text.usersOf(status.users) },
        ...memoryFacts(status),
        { key: text.restarts, value: formatCount(status.restarts) },
      ]}
    />
  );
}

function ownerFacts({ ownerKind, address, pid, timings }: ServerStatus): Fact[] {
  return [
    ...(ownerKind === null ? [] : [{ key: text.owner, value: text.owners[ownerKind] }]),
    ...(timings === null ? [] : [{ key: text.ready, value: formatDuration(timings.readyMs) }]),
    ...(address === null
      ? []
      : [
          {
            key: text.address,
            value: (
              <code>
                <VisibleText text={address} />
              </code>
            ),
          },
        ]),
    ...(pid === null ? [] : [{ key: text.process, value: String(pid) }]),
  ];
}

function windowFacts({ contextTokens, sequences }: ServerStatus): Fact[] {
  if (contextTokens === null) return [];
  return [{ key: text.window, value: text.windowOf(formatCount(contextTokens), sequences ?? 1) }];
}

function memoryFacts({ memory }: ServerStatus): Fact[] {
  if (memory === null) return [];
  const { measuredBytes, estimatedBytes, ratio } = memory;
  return [
    {
      key: text.memory,
      value: text.memoryOf(
        formatSize(measuredBytes),
        formatSize(estimatedBytes),
        formatShare(ratio),
      ),
    },
  ];
}
