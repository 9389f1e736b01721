import type { OutputOf } from '../../../../src-main/contract/index.ts';
import { Button } from '../../../components/button.tsx';
import { KeyValue } from '../../../components/key-value.tsx';
import { DataTable } from '../../../components/list/data-table.tsx';
import { ErrorNote } from '../../../components/notes.tsx';
import { Section } from '../../../components/page.tsx';
import { Progress } from '../../../components/progress.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatCount, formatDuration, formatShare, formatSize } from '../../../format.ts';
import { benchText as text } from '../../../text/en/model-server.ts';
import { modelsText } from '../../../text/en/models.ts';
import { useJob } from '../../jobs.ts';
import styles from '../models.module.css';

type Bench = OutputOf<'models/bench'>;

/** Measures a model; goes on while other pages are looked at. */
export function BenchTab({ name }: { name: string }) {
  const { job, start, stop } = useJob('models/bench', name, ['models/list']);
  const running = job.state === 'running';
  return (
    <div className={styles.tab}>
      <div className={styles.intro}>
        <p className={styles.soft}>{text.words}</p>
        {running ? (
          <Button icon="stop" onPress={stop}>
            {text.stop}
          </Button>
        ) : (
          <Button
            icon="play"
            variant={job.state === 'done' ? 'normal' : 'primary'}
            onPress={() => start({ name })}
          >
            {job.state === 'idle' ? text.start : text.again}
          </Button>
        )}
      </div>
      {running && (
        <div className={styles.stack}>
          <Progress words={text.running} share={null} />
          <ol className={styles.told} aria-label={text.told} aria-live="polite">
            {job.items.length === 0 && <li>{text.begins}</li>}
            {job.items.map((item, index) => (
              // eslint-disable-next-line react/no-array-index-key -- what was told never moves
              <li key={index}>
                <VisibleText text={item.text} />
              </li>
            ))}
          </ol>
        </div>
      )}
      {job.state === 'failed' && <ErrorNote error={job.error} onRetry={() => start({ name })} />}
      {job.state === 'done' && <Result bench={job.output} />}
    </div>
  );
}

function Result({ bench }: { bench: Bench }) {
  return (
    <div className={styles.columns}>
      <Section title={text.figures}>
        <KeyValue facts={figuresOf(bench)} />
      </Section>
      <Section title={text.turns}>
        <DataTable
          caption={text.turns}
          hideCaption
          rows={bench.turns}
          keyOf={({ turn }) => String(turn)}
          columns={[
            { id: 'turn', header: text.turn, render: ({ turn }) => formatCount(turn) },
            {
              ...{ id: 'prompt', header: text.promptTokens, align: 'end' },
              render: ({ promptTokens }) => formatCount(promptTokens),
            },
            {
              ...{ id: 'cached', header: text.cached, align: 'end' },
              render: ({ cachedTokens }) => formatCount(cachedTokens),
            },
            {
              ...{ id: 'reused', header: text.reused, align: 'end' },
              render: ({ reusedShare }) => formatShare(reusedShare),
            },
            {
              ...{ id: 'first', header: text.turnFirstToken, align: 'end' },
              render: ({ firstTokenMs }) => formatDuration(firstTokenMs),
            },
          ]}
        />
      </Section>
    </div>
  );
}

function figuresOf(bench: Bench) {
  const { loadSeconds, memory } = bench;
  return [
    {
      key: text.load,
      value: loadSeconds === null ? text.loadAlready : formatDuration(loadSeconds * 1000),
    },
    { key: text.prompt, value: rate(bench.promptTokensPerSecond) },
    { key: text.generated, value: rate(bench.generatedTokensPerSecond) },
    { key: text.firstToken, value: formatDuration(bench.firstTokenMs) },
    ...(memory === null
      ? []
      : [
          {
            key: text.memory,
            value: modelsText.facts.memoryOf(
              formatSize(memory.measuredBytes),
              formatSize(memory.estimatedBytes),
              formatShare(memory.ratio),
            ),
          },
        ]),
  ];
}

function rate(perSecond: number | null): string {
  if (perSecond === null) return formatCount(null);
  return text.perSecond(
    perSecond < 9.95 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond)),
  );
}
