import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { ErrorNote, Loading } from '../../../components/notes.tsx';
import { formatSize } from '../../../format.ts';
import { type Services, useServices } from '../../../services.ts';
import { componentsText } from '../../../text/en/components.ts';
import { sessionText } from '../../../text/en/session.ts';
import type { CallView } from '../record/call-view.ts';
import type { Observation } from '../record/timeline.ts';
import { OutputBlock } from './output-block.tsx';
import styles from './timeline.module.css';

type Run = NonNullable<Observation['run']>;
type Bash = Extract<CallView, { form: 'bash' }>;

/** As `sessions/blob` allows. */
const MOST_BYTES = 1_048_576;

/** What the scaffolds put in place of what they leave out. */
const SHORTENED = /\[truncated|<Observation truncated/;

/** The command where it has several lines, then both streams. */
export function BashBody({ view, run }: { view: Bash; run: Run | null }) {
  const [whole, setWhole] = useState(false);
  const bytes = run === null ? 0 : run.stdout.bytes + run.stderr.bytes;
  const shortened = SHORTENED.test(view.stdout) || SHORTENED.test(view.stderr);
  return (
    <>
      {view.command.includes('\n') && (
        <CodeBlock text={view.command} language="bash" label={sessionText.call.command} />
      )}
      {whole && run !== null ? (
        <WholeOutput run={run} />
      ) : (
        <Streams stdout={view.stdout} stderr={view.stderr} />
      )}
      {shortened && !whole && run !== null && (
        <div className={styles.more}>
          <Button small variant="quiet" onPress={() => setWhole(true)}>
            {sessionText.call.shortened(formatSize(bytes))}
          </Button>
        </div>
      )}
    </>
  );
}

function Streams({ stdout, stderr }: { stdout: string; stderr: string }) {
  if (stdout.trim() === '' && stderr.trim() === '') {
    return <p className={styles.remark}>{componentsText.noOutput}</p>;
  }
  return (
    <>
      {stdout.trim() !== '' && <OutputBlock text={stdout} label={componentsText.output} />}
      {stderr.trim() !== '' && (
        <>
          <p className={styles.remark}>{componentsText.standardError}</p>
          <OutputBlock text={stderr} label={componentsText.standardError} />
        </>
      )}
    </>
  );
}

/** What the record kept of both streams: their starts and ends. */
function WholeOutput({ run }: { run: Run }) {
  const { client } = useServices();
  const { data, error, refetch } = useQuery({
    queryKey: ['output', run.stdout, run.stderr],
    queryFn: async () => ({
      stdout: await keptText(client, run.stdout),
      stderr: await keptText(client, run.stderr),
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading>{sessionText.call.loadingOutput}</Loading>;
  return <Streams {...data} />;
}

async function keptText(client: Services['client'], stream: Run['stdout']): Promise<string> {
  if (stream.bytes === 0) return '';
  const read = (sha256: string) => client.call('sessions/blob', { sha256, maxBytes: MOST_BYTES });
  const head = await read(stream.head);
  if (stream.tail === null) return head.text;
  const tail = await read(stream.tail);
  const omitted = stream.bytes - head.size - tail.size;
  const between = omitted > 0 ? `\n${componentsText.omitted(formatSize(omitted))}\n` : '';
  return `${head.text}${between}${tail.text}`;
}
