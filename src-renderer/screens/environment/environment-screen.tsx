import { useState } from 'react';
import { useCall } from '../../api/hooks.ts';
import { Page } from '../../components/page.tsx';
import { formatSize } from '../../format.ts';
import { environmentText } from '../../text/en/environment.ts';
import { BuildDialog } from './build-dialog.tsx';
import { Checks } from './checks-section.tsx';
import { CleanDialog } from './clean-dialog.tsx';
import { Disk } from './disk-section.tsx';
import styles from './environment.module.css';
import { Images } from './images-section.tsx';
import { ImportDialog } from './import-dialog.tsx';

/** What this machine has, what is missing, and what Vivarium takes of it. */
export default function EnvironmentScreen() {
  const [open, setOpen] = useState<'build' | 'import' | 'clean' | null>(null);
  const close = () => setOpen(null);
  return (
    <Page title={environmentText.title} facts={<MachineFacts />}>
      <div className={styles.body}>
        <Checks onBuild={() => setOpen('build')} onClean={() => setOpen('clean')} />
        <div className={styles.columns}>
          <Images onBuild={() => setOpen('build')} onImport={() => setOpen('import')} />
          <Disk onClean={() => setOpen('clean')} />
        </div>
      </div>
      <BuildDialog isOpen={open === 'build'} onClose={close} />
      {open === 'import' && <ImportDialog onClose={close} />}
      {open === 'clean' && <CleanDialog onClose={close} />}
    </Page>
  );
}

const MACHINE_MS = 10_000;

function MachineFacts() {
  const { data } = useCall('models/machine', {}, { everyMs: MACHINE_MS });
  if (data === undefined) return null;
  const { facts } = environmentText;
  return (
    <span className={styles.facts}>
      <span>{facts.cores(data.cores)}</span>
      <span>{facts.memory(formatSize(data.memory.availableBytes))}</span>
      <span>{facts.gpus(data.gpus.length)}</span>
    </span>
  );
}
