import type { Platform, PlatformNote } from './platform.ts';

/** What a browser can do without asking: notes after permission, a badge in the title, downloads. */
export function browserPlatform(): Platform {
  let title = document.title;
  let badge = 0;
  const show = () => {
    document.title = titleWithBadge(title, badge);
  };
  return {
    mayNotify,
    notify,
    setTitle(next) {
      title = next;
      show();
    },
    setBadge(count) {
      badge = count;
      show();
      showIcon(count > 0);
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

/** `(3) Sessions · Vivarium`: seen in the row of tabs. */
export function titleWithBadge(title: string, badge: number): string {
  return badge === 0 ? title : `(${badge}) ${title}`;
}

const ICON = new URL('../icon.svg', import.meta.url).href;
const ICON_WITH_BADGE = new URL('../icon-badge.svg', import.meta.url).href;

/** The tab's icon, with a dot while something is unseen. */
function showIcon(badged: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon !== null) icon.href = badged ? ICON_WITH_BADGE : ICON;
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
