import { useAction } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/notes.tsx';
import { formatSize } from '../../format.ts';
import { useNotices } from '../../services.ts';
import { environmentText } from '../../text/en/environment.ts';
import { visibleLine } from '../../visible.ts';
import styles from './environment.module.css';

const text = environmentText.clean;

/** Says what goes and what stays, then cleans. */
export function CleanDialog({ onClose }: { onClose: () => void }) {
  const clean = useAction('environment/clean', ['environment/disk', 'environment/doctor']);
  const notices = useNotices();
  const run = () => {
    clean.mutate(
      {},
      {
        onSuccess: ({ containers, volumes, snapshots, bytes, unreached }) => {
          const done = text.done(containers, volumes, snapshots, formatSize(bytes));
          notices.tell({ tone: 'ok', text: done });
          if (unreached !== undefined) {
            notices.tell({ tone: 'bad', text: text.unreached(visibleLine(unreached)) });
          }
          onClose();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      isOpen
      danger
      title={text.title}
      confirm={text.confirm}
      busy={clean.isPending ? text.busy : null}
      onConfirm={run}
      onClose={onClose}
    >
      <div className={styles.stack}>
        <div>
          <p>{text.goes}</p>
          <ul className={styles.list}>
            <li>{text.containers}</li>
            <li>{text.snapshots}</li>
            <li>{text.states}</li>
          </ul>
        </div>
        <p>{text.stays}</p>
        {clean.error !== null && <ErrorNote error={clean.error} />}
      </div>
    </ConfirmDialog>
  );
}
