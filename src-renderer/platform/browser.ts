import type { Platform, PlatformNote } from './platform.ts';

/** What a browser can do without asking: notes after permission, a badge in the title, downloads. */
export function browserPlatform(): Platform {
  return {
    mayNotify,
    notify,
    setBadge(count) {
      const title = document.title.replace(/^\(\d+\) /, '');
      document.title = count === 0 ? title : `(${count}) ${title}`;
    },
    async saveFile(name, bytes) {
      const url = URL.createObjectURL(new Blob([bytes.slice()]));
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      URL.revokeObjectURL(url);
    },
  };
}

async function mayNotify(ask: boolean): Promise<boolean> {
  if (!('Notification' in globalThis)) return false;
  if (Notification.permission === 'default' && ask) {
    return (await Notification.requestPermission()) === 'granted';
  }
  return Notification.permission === 'granted';
}

async function notify({ title, body, tag, onOpen }: PlatformNote): Promise<void> {
  if (!(await mayNotify(false))) return;
  const note = new Notification(title, { body, tag });
  note.addEventListener('click', () => {
    globalThis.focus();
    note.close();
    onOpen?.();
  });
}
