import { type ReactNode, useRef } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { componentsText } from '../text/en/components.ts';
import { Button, IconButton } from './button.tsx';
import { classes } from './classes.ts';
import styles from './overlay.module.css';
import { useOverflow } from './use-overflow.ts';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Also by Escape and a press beside it. The focus goes back to where it was. */
  onClose: () => void;
  size?: 'small' | 'medium' | 'large';
  /** Buttons of the last row. */
  actions?: ReactNode;
  children: ReactNode;
  role?: 'dialog' | 'alertdialog';
}

export function Dialog(props: DialogProps) {
  return (
    <ModalOverlay
      className={styles.backdrop ?? ''}
      isOpen={props.isOpen}
      isDismissable={props.role !== 'alertdialog'}
      onOpenChange={(open) => {
        if (!open) props.onClose();
      }}
    >
      <Modal className={classes(styles.modal, styles[props.size ?? 'medium'])}>
        <AriaDialog className={styles.dialog ?? ''} role={props.role ?? 'dialog'}>
          <div className={styles.title}>
            <Heading slot="title" level={2}>
              {props.title}
            </Heading>
            <IconButton icon="close" label={componentsText.close} onPress={props.onClose} />
          </div>
          <Body>{props.children}</Body>
          {props.actions !== undefined && <div className={styles.actions}>{props.actions}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function Body({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const overflows = useOverflow(box);
  return (
    <div ref={box} className={styles.body} {...(overflows ? { tabIndex: 0 } : {})}>
      {children}
    </div>
  );
}

export interface ConfirmDialogProps {
  title: string;
  isOpen: boolean;
  /** What will happen, and whether it can be taken back. */
  children: ReactNode;
  /** The verb of the button: `Delete the model`, not `OK`. */
  confirm: string;
  danger?: boolean;
  busy?: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** A question before something that cannot be taken back; the safe answer has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog
      title={props.title}
      isOpen={props.isOpen}
      onClose={props.onClose}
      size="small"
      role="alertdialog"
      actions={
        <>
          {/* eslint-disable-next-line jsx-a11y/no-autofocus -- the safe answer of a question */}
          <Button onPress={props.onClose} autoFocus>
            {componentsText.cancel}
          </Button>
          <Button
            variant={props.danger === true ? 'danger' : 'primary'}
            onPress={props.onConfirm}
            busy={props.busy ?? null}
          >
            {props.confirm}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
