import { useEffect } from 'react';
import { Page } from '../../components/page.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatTokens } from '../../format.ts';
import { MODEL_TABS, type ModelTab } from '../../navigation.ts';
import { useServices } from '../../services.ts';
import { modelsText } from '../../text/en/models.ts';
import { BenchTab } from './bench/bench-tab.tsx';
import { FactsTab } from './facts/facts-tab.tsx';
import { formatParameters, isUp } from './figures.ts';
import { Memory } from './library-table.tsx';
import { LogTab } from './log/log-tab.tsx';
import { MeasuresTab } from './measures/measures-tab.tsx';
import { ModelMenu } from './model-menu.tsx';
import styles from './models.module.css';
import { PlanTab } from './plan/plan-tab.tsx';
import { ProfileTab } from './profile/profile-tab.tsx';
import { ServerButtons } from './server-buttons.tsx';
import { ServerNotice } from './server-notice.tsx';
import type { ModelEntry } from './use-models.ts';
import { useServer } from './use-server.ts';

/** The tab a person looked at last, for the next model too: kept while the page lives. */
const remembered: { tab: ModelTab } = { tab: 'facts' };

export function ModelDetail({ entry, tab: asked }: { entry: ModelEntry; tab: ModelTab | null }) {
  const { navigate } = useServices();
  const tab = asked ?? remembered.tab;
  useEffect(() => {
    remembered.tab = tab;
  }, [tab]);
  const server = useServer(entry);
  // Tabs are no steps to go back through.
  const choose = (chosen: ModelTab) =>
    navigate({ screen: 'model', name: entry.model.name, tab: chosen }, { replace: true });
  return (
    <Page
      title={<VisibleText text={entry.model.name} />}
      facts={<HeadFacts {...entry} status={{ ...entry.status, state: server.state }} />}
      actions={
        <>
          <ServerButtons server={server} />
          <ModelMenu model={entry.model} />
        </>
      }
    >
      <ServerNotice server={server} onLog={() => choose('log')} />
      <Tabs
        label={modelsText.tabs.label}
        selected={tab}
        onSelect={choose}
        tabs={MODEL_TABS.map((id) => ({
          id,
          label: modelsText.tabs[id],
          render: () => <Panel tab={id} entry={entry} server={server} />,
        }))}
      />
    </Page>
  );
}

function Panel(props: { tab: ModelTab; entry: ModelEntry; server: ReturnType<typeof useServer> }) {
  const { tab, entry, server } = props;
  const { name } = entry.model;
  switch (tab) {
    case 'facts':
      return <FactsTab entry={entry} />;
    case 'plan':
      return <PlanTab name={name} server={server} />;
    case 'measures':
      return <MeasuresTab entry={entry} />;
    case 'log':
      return <LogTab status={entry.status} />;
    case 'profile':
      return <ProfileTab name={name} isRunning={isUp(entry.status)} />;
    case 'bench':
      return <BenchTab name={name} />;
  }
}

function HeadFacts(entry: ModelEntry) {
  const { model, status } = entry;
  const { parameters, quantization, trainedContextTokens } = model.facts;
  return (
    <span className={styles.facts}>
      <StateMark kind="server" state={status.state} />
      <span>
        <b className="numbers">{formatParameters(parameters)}</b>{' '}
        {modelsText.columns.parameters.toLowerCase()}
      </span>
      <b>
        <VisibleText text={quantization} />
      </b>
      <span>
        {modelsText.columns.context.toLowerCase()}{' '}
        <b className="numbers">{formatTokens(status.contextTokens ?? trainedContextTokens)}</b>
      </span>
      {isUp(status) && (
        <span>
          {modelsText.columns.memory.toLowerCase()}{' '}
          <b>
            <Memory {...entry} />
          </b>
        </span>
      )}
    </span>
  );
}
