import { useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';
import type { OutputOf, ReviewExportFormat } from '../../../../src-main/contract/index.ts';
import { useAction } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorNote } from '../../../components/notes.tsx';
import { useServices } from '../../../services.ts';
import { StateMark } from '../../../components/state-mark.tsx';
import { reviewText } from '../../../text/en/review.ts';
import { useReviewView } from '../review-context.ts';
import styles from '../review.module.css';
import { totalsOf } from '../totals.ts';
import { exportWords } from './export-words.ts';
import { Exported } from './exported.tsx';
import { useDownload } from './use-download.ts';

const FORMATS = [
  'patch',
  'mbox',
  'provenance',
  'html',
  'markdown',
  'leaf',
] as const satisfies ReviewExportFormat[];

/**
 * Takes the patch, or a report of it, out of the app: into a folder that the person picks in the shell's
 * dialog where it has one, or to the downloads.
 */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const { review } = useReviewView();
  const { session, attempt } = review;
  const { export: words } = reviewText;
  const [format, setFormat] = useState<ReviewExportFormat>('patch');
  const { saveFolder } = useServices().platform;
  const write = useAction('review/export', ['sessions/list']);
  const download = useDownload(session, attempt);
  const totals = totalsOf(review.files);
  // Reports and recordings tell of a patch that was rejected, too.
  const nothing = totals.exported === 0 && (format === 'patch' || format === 'mbox');
  const submit = async (pick: NonNullable<typeof saveFolder>) => {
    const out = await pick(words.folder);
    if (out !== null) write.mutate({ session, attempt, format, out });
  };
  const choose = (next: ReviewExportFormat) => {
    setFormat(next);
    write.reset();
    download.reset();
  };
  const actions = (
    <>
      <Button
        variant={saveFolder === undefined ? 'primary' : 'normal'}
        icon="download"
        isDisabled={nothing}
        busy={download.busy ? words.downloading : null}
        onPress={() => download.start(format)}
      >
        {words.download}
      </Button>
      {saveFolder !== undefined && (
        <Button
          variant="primary"
          icon="folder"
          isDisabled={nothing}
          busy={write.isPending ? words.writing : null}
          onPress={() => void submit(saveFolder)}
        >
          {words.write}
        </Button>
      )}
    </>
  );
  return (
    <Dialog title={words.title} isOpen onClose={onClose} actions={actions}>
      <div className={styles.form}>
        <p className={styles.soft}>{exportWords(totals, review.verification !== null)}</p>
        <FormatChoice value={format} onChange={choose} />
        <p className={styles.soft}>
          {saveFolder === undefined ? words.downloadHint : words.folderHint}
        </p>
        <Outcome written={write.data ?? null} downloaded={download.name} {...{ format }} />
        {write.error !== null && <ErrorNote error={write.error} />}
        {download.error !== null && <ErrorNote error={download.error} />}
      </div>
    </Dialog>
  );
}

function FormatChoice(props: {
  value: ReviewExportFormat;
  onChange: (format: ReviewExportFormat) => void;
}) {
  const { export: words } = reviewText;
  return (
    <RadioGroup
      aria-label={words.format}
      className={styles.formats ?? ''}
      value={props.value}
      onChange={(value) => {
        const known = FORMATS.find((format) => format === value);
        if (known !== undefined) props.onChange(known);
      }}
    >
      {FORMATS.map((format) => (
        <Radio key={format} value={format} className={styles.format ?? ''}>
          <b>{words.formats[format]}</b>
          <span className={styles.soft}>{words.details[format]}</span>
        </Radio>
      ))}
    </RadioGroup>
  );
}

/** What came of it, told to those who only hear it, too. */
function Outcome(props: {
  written: OutputOf<'review/export'> | null;
  downloaded: string | null;
  format: ReviewExportFormat;
}) {
  const { written, downloaded, format } = props;
  return (
    <div role="status" className={styles.outcome}>
      {downloaded !== null && (
        <StateMark kind="check" state="ok" words={reviewText.export.downloaded(downloaded)} />
      )}
      {written !== null && (
        <Exported
          files={written.files}
          command={written.command}
          isPatch={format === 'patch' || format === 'mbox'}
        />
      )}
      {written === null && downloaded !== null && (
        <DownloadedNext name={downloaded} {...{ format }} />
      )}
    </div>
  );
}

function DownloadedNext({ name, format }: { name: string; format: ReviewExportFormat }) {
  const { appliesToWorkingTree } = useReviewView().review;
  const apply = appliesToWorkingTree === false ? 'apply --3way' : 'apply';
  if (format !== 'patch' && format !== 'mbox') return null;
  const verb = format === 'patch' ? apply : 'am';
  const command = /^[\w.-]+$/.test(name) ? `git ${verb} ${name}` : null;
  return <Exported files={[]} command={command} words={reviewText.export.after} isPatch />;
}
