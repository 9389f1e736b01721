import type { Notification, NotificationConstructorOptions } from 'electron';

export interface NoteOptions {
  title: string;
  body: string;
  /** A note with the same tag takes the place of the one before. */
  tag: string;
}

export interface Notes {
  show(note: NoteOptions): void;
  canShow(): boolean;
}

type NotificationClass = {
  new (options: NotificationConstructorOptions): Pick<Notification, 'show' | 'close' | 'on'>;
  isSupported(): boolean;
};

/** Notes of the system; `onOpen` is told the tag of one that was clicked. */
export function createNotes(Notification: NotificationClass, onOpen: (tag: string) => void): Notes {
  const shown = new Map<string, Pick<Notification, 'close'>>();
  return {
    canShow: () => Notification.isSupported(),
    show({ title, body, tag }) {
      if (!Notification.isSupported()) return;
      shown.get(tag)?.close();
      const note = new Notification({ title, body });
      shown.set(tag, note);
      const forget = (): void => {
        if (shown.get(tag) === note) shown.delete(tag);
      };
      note.on('close', forget);
      note.on('click', () => {
        forget();
        onOpen(tag);
      });
      note.show();
    },
  };
}
