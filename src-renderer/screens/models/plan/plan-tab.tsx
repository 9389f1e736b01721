import { useState } from 'react';
import type { PlanView, ServerPlan } from '../../../../src-main/contract/index.ts';
import { useAction, useCall } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { type Fact, KeyValue } from '../../../components/key-value.tsx';
import { Banner, ErrorNote, Loading } from '../../../components/notes.tsx';
import { Section } from '../../../components/page.tsx';
import { Pill } from '../../../components/pill.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatCount, formatSize } from '../../../format.ts';
import { useNotices } from '../../../services.ts';
import { planText } from '../../../text/en/model-server.ts';
import { visibleLine } from '../../../visible.ts';
import { useDebounced } from '../../use-debounced.ts';
import { CommandLine } from '../command-line.tsx';
import styles from '../models.module.css';
import type { Server } from '../use-server.ts';
import { MemoryBar } from './memory-bar.tsx';
import plan from './plan.module.css';
import { planBar } from './plan-parts.ts';
import { type Tried, triedOverrides, TryFields } from './try-fields.tsx';

const REST_MS = 400;
const AS_IN_PROFILE: Tried = { contextTokens: null, sequences: null, device: null };

/** What would be started, what it would take, and what other values would do. */
export function PlanTab({ name, server }: { name: string; server: Server }) {
  const [tried, setTried] = useState(AS_IN_PROFILE);
  const overrides = triedOverrides(useDebounced(tried, REST_MS));
  const report = useCall('models/plan', { name, overrides }, { keep: true });
  return (
    <div className={styles.tab}>
      {report.isPending && <Loading>{planText.loading}</Loading>}
      {report.error !== null && (
        <ErrorNote error={report.error} onRetry={() => void report.refetch()} />
      )}
      {report.data !== undefined && <Memory plan={report.data.plan} />}
      {report.data !== undefined && <Faults faults={report.data.faults} />}
      <div className={styles.columns}>
        {report.data !== undefined && <Chosen report={report.data} />}
        <TryOthers
          {...{ name, tried, server }}
          profile={report.data?.profile ?? {}}
          onChange={setTried}
        />
      </div>
      {report.data !== undefined && (
        <CommandLine
          title={planText.command}
          words={report.data.commandLine}
          hint={planText.commandHint}
        />
      )}
    </div>
  );
}

function TryOthers(props: {
  name: string;
  tried: Tried;
  profile: Record<string, unknown>;
  server: Server;
  onChange: (tried: Tried) => void;
}) {
  const { name, tried, profile, server, onChange } = props;
  const overrides = triedOverrides(tried);
  const keep = useAction('models/setProfile', ['models/profile', 'models/plan']);
  const notices = useNotices();
  const isChanged = Object.keys(overrides).length > 0;
  const keepIt = () => {
    keep.mutate(
      { name, overrides },
      {
        onSuccess: () => {
          onChange(AS_IN_PROFILE);
          notices.tell({ tone: 'ok', text: planText.kept(visibleLine(name)) });
        },
      },
    );
  };
  return (
    <Section title={planText.try}>
      <TryFields tried={tried} profile={profile} onChange={onChange} />
      {keep.error !== null && <ErrorNote error={keep.error} />}
      <div className={styles.row}>
        <Button
          icon="play"
          isDisabled={!isChanged || server.isStarting}
          onPress={() => server.start({ overrides })}
        >
          {planText.startWith}
        </Button>
        <Button
          isDisabled={!isChanged}
          busy={keep.isPending ? planText.keeping : null}
          onPress={keepIt}
        >
          {planText.keep}
        </Button>
        <Button variant="quiet" isDisabled={!isChanged} onPress={() => onChange(AS_IN_PROFILE)}>
          {planText.reset}
        </Button>
      </div>
    </Section>
  );
}

function Memory({ plan: made }: { plan: ServerPlan }) {
  const bar = planBar(made);
  const where =
    made.device === 'gpu' ? planText.where.gpu(made.gpus.length) : planText.where[made.device];
  return (
    <Section
      title={planText.title}
      actions={<Pill title={planText.estimateWords}>{planText.estimate}</Pill>}
    >
      <div className={plan.summary}>
        <StateMark
          kind="check"
          state={made.fits ? 'ok' : 'missing'}
          words={made.fits ? planText.fits : planText.fitsNot}
        />
        <span className={plan.total}>
          {planText.summary(formatSize(bar.totalBytes), formatSize(bar.availableBytes), where)}
        </span>
      </div>
      <MemoryBar bar={bar} />
      <p className={styles.soft}>{planText.estimateWords}</p>
      {made.advice.length > 0 && (
        <Banner tone={made.fits ? 'info' : 'warn'}>
          <b>{planText.advice}</b>
          <Bullets lines={made.advice} />
        </Banner>
      )}
    </Section>
  );
}

function Faults({ faults }: { faults: readonly string[] }) {
  if (faults.length === 0) return null;
  return (
    <Banner tone="bad">
      <b>{planText.faults}</b>
      <Bullets lines={faults} />
    </Banner>
  );
}

function Bullets({ lines }: { lines: readonly string[] }) {
  return (
    <ul className={styles.list}>
      {lines.map((line) => (
        <li key={line}>
          <VisibleText text={line} />
        </li>
      ))}
    </ul>
  );
}

function Chosen({ report }: { report: PlanView }) {
  const { plan: made, profile, installation } = report;
  const asked = profile['contextTokens'];
  const planned = formatCount(made.contextTokens);
  const facts: Fact[] = [
    { key: planText.engine, value: made.engine },
    {
      key: planText.installation,
      value: installation === null ? planText.notFound : <VisibleText text={installation} />,
    },
    { key: planText.device, value: deviceWords(made) },
    {
      key: planText.context,
      value:
        typeof asked === 'number' && asked !== made.contextTokens
          ? planText.contextOf(planned, formatCount(asked))
          : planText.contextIs(planned),
    },
    { key: planText.sequences, value: formatCount(made.sequences) },
    { key: planText.kvPerToken, value: formatSize(made.estimate.kvBytesPerToken) },
    ...(made.estimate.stateBytesPerSequence > 0
      ? [
          {
            key: planText.statePerSequence,
            value: formatSize(made.estimate.stateBytesPerSequence),
          },
        ]
      : []),
    ...(made.tensorParallel > 1
      ? [{ key: planText.tensorParallel, value: planText.gpus(made.tensorParallel) }]
      : []),
    { key: planText.reason, value: <VisibleText text={made.reason} /> },
  ];
  return (
    <Section title={planText.chosen}>
      <KeyValue facts={facts} />
    </Section>
  );
}

function deviceWords({ device, gpuLayers }: ServerPlan): string {
  const words = planText.devices[device];
  return gpuLayers === null ? words : `${words}, ${planText.gpuLayers(gpuLayers)}`;
}
