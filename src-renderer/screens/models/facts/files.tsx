import type {
  LibraryModel,
  ModelFile,
  OutputOf,
  VerifyResult,
} from '../../../../src-main/contract/index.ts';
import type { StreamState } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { DataTable } from '../../../components/list/data-table.tsx';
import { Banner, ErrorNote } from '../../../components/notes.tsx';
import { Section } from '../../../components/page.tsx';
import { Progress } from '../../../components/progress.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatSize, formatSizeOf } from '../../../format.ts';
import { modelsText } from '../../../text/en/models.ts';
import { visibleLine } from '../../../visible.ts';
import { useJob } from '../../jobs.ts';
import styles from '../models.module.css';

const text = modelsText.files;

/** Files with the sums that were recorded, and a button that reads them all again. */
export function Files({ model }: { model: LibraryModel }) {
  const { job, start, stop } = useJob('models/verify', model.name);
  return (
    <Section
      title={text.title}
      actions={
        job.state === 'running' ? (
          <Button small icon="stop" onPress={stop}>
            {text.stop}
          </Button>
        ) : (
          <Button small icon="check" onPress={() => start({ name: model.name })}>
            {text.verify}
          </Button>
        )
      }
    >
      <Outcome job={job} />
      <DataTable
        caption={text.title}
        hideCaption
        rows={model.files}
        keyOf={({ path }) => path}
        columns={[
          { id: 'file', header: text.file, render: ({ path }) => <VisibleText text={path} /> },
          {
            id: 'size',
            header: text.size,
            align: 'end',
            render: ({ bytes }) => formatSize(bytes),
          },
          { id: 'sum', header: text.sum, render: (file) => <Sum file={file} /> },
          ...(job.state === 'done'
            ? [
                {
                  id: 'found',
                  header: text.found,
                  render: ({ path }: ModelFile) => <Found path={path} result={job.output} />,
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}

function Sum({ file }: { file: ModelFile }) {
  return (
    <span className={styles.copied}>
      <code className={styles.sum}>{file.sha256}</code>
      <CopyButton text={file.sha256} />
    </span>
  );
}

function Found({ path, result }: { path: string; result: VerifyResult }) {
  const found = result.faults.find((fault) => fault.path === path);
  if (found === undefined) return <StateMark kind="check" state="ok" words={text.same} />;
  return <StateMark kind="check" state="missing" words={text.faults[found.fault]} />;
}

function Outcome({ job }: { job: StreamState<'models/verify'> }) {
  switch (job.state) {
    case 'idle':
      return null;
    case 'running':
      return job.last === null ? (
        <Progress words={text.begins} share={null} />
      ) : (
        <Progress
          words={text.verifying(visibleLine(job.last.file))}
          share={job.last.totalBytes > 0 ? job.last.doneBytes / job.last.totalBytes : null}
          figures={formatSizeOf(job.last.doneBytes, job.last.totalBytes)}
        />
      );
    case 'failed':
      return <ErrorNote error={job.error} />;
    case 'done':
      return <Result result={job.output} />;
  }
}

function Result({ result }: { result: OutputOf<'models/verify'> }) {
  if (result.ok) return <StateMark kind="check" state="ok" words={text.ok(result.files)} />;
  return (
    <Banner tone="bad">
      <p>{text.bad(result.faults.length)}</p>
      <p>{text.badNext}</p>
    </Banner>
  );
}
