import { useEffect, useRef, useState } from 'react';
import type { StreamState } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Banner, ErrorNote } from '../../components/notes.tsx';
import { Progress } from '../../components/progress.tsx';
import { TextField } from '../../components/text-field.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { environmentText } from '../../text/en/environment.ts';
import { visibleLine, withoutTerminalCodes } from '../../visible.ts';
import { ONE, useJob } from '../jobs.ts';
import styles from './environment.module.css';

const text = environmentText.build;

/** Ties the button below the form to it, so that Enter in a field is the same. */
const FORM = 'build-an-image';

/** Builds the base image, with more packages if wanted; its lines are shown as they come. */
export function BuildDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { job, start, stop } = useJob('environment/buildImage', ONE, [
    ...(['environment/images', 'environment/doctor', 'environment/disk'] as const),
  ]);
  const [tag, setTag] = useState('');
  const [packages, setPackages] = useState('');
  const running = job.state === 'running';
  const begin = () => {
    const wanted = packages.split(/[\s,]+/).filter((name) => name !== '');
    start({ packages: wanted, ...(tag.trim() === '' ? {} : { tag: tag.trim() }) });
  };
  return (
    <Dialog
      title={text.title}
      isOpen={isOpen}
      onClose={onClose}
      size="large"
      actions={
        <>
          <Button onPress={onClose}>{text.close}</Button>
          {running ? (
            <Button icon="stop" onPress={stop}>
              {text.stop}
            </Button>
          ) : (
            <Button variant="primary" type="submit" form={FORM}>
              {text.start}
            </Button>
          )}
        </>
      }
    >
      <form
        id={FORM}
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          if (!running) begin();
        }}
      >
        <p className={styles.soft}>{text.words}</p>
        <Fields {...{ tag, packages, setTag, setPackages }} isDisabled={running} />
        <Outcome job={job} />
      </form>
    </Dialog>
  );
}

function Fields(props: {
  tag: string;
  packages: string;
  setTag: (tag: string) => void;
  setPackages: (packages: string) => void;
  isDisabled: boolean;
}) {
  const { tag, packages, setTag, setPackages, isDisabled } = props;
  return (
    <>
      <TextField
        {...{ code: true, isDisabled, value: tag, onChange: setTag }}
        label={text.tag}
        hint={text.tagHint}
        placeholder={text.tagPlaceholder}
      />
      <TextField
        {...{ code: true, isDisabled, value: packages, onChange: setPackages }}
        label={text.packages}
        hint={text.packagesHint}
        placeholder={text.packagesPlaceholder}
      />
    </>
  );
}

function Outcome({ job }: { job: StreamState<'environment/buildImage'> }) {
  return (
    <>
      {job.state === 'running' && (
        <>
          <Progress words={text.running} share={null} />
          <p className={styles.soft}>{text.keepsGoing}</p>
        </>
      )}
      {job.items.length > 0 && <Lines lines={job.items.map(({ line }) => line)} />}
      {job.state === 'failed' && <ErrorNote error={job.error} />}
      {job.state === 'done' && (
        <Banner tone="info">{text.done(visibleLine(job.output.reference))}</Banner>
      )}
    </>
  );
}

/** Closer to the end than this is the end. */
const END_PX = 40;

/** The end stays in sight while it is looked at. */
function Lines({ lines }: { lines: readonly string[] }) {
  const box = useRef<HTMLPreElement>(null);
  const whole = withoutTerminalCodes(lines.join('\n'));
  useEffect(() => {
    const at = box.current;
    if (at === null || whole === '') return;
    const added = at.scrollHeight - at.scrollTop - at.clientHeight;
    // A page that was scrolled up by more than what just came is being read.
    if (added < at.clientHeight + END_PX) at.scrollTop = at.scrollHeight;
  }, [whole]);
  return (
    // Scrolls, so the keyboard has to reach it.
    <pre
      ref={box}
      className={styles.lines}
      role="log"
      aria-live="off"
      aria-label={text.lines}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <VisibleText text={whole} />
    </pre>
  );
}
