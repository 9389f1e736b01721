import styles from './icon.module.css';

/** Outlines on a grid of 16, drawn for this app. */
const PATHS = {
  sessions: 'M3 4h10M3 8h10M3 12h6',
  models: 'M8 2l5.2 3v6L8 14l-5.2-3V5zM2.8 5L8 8l5.2-3M8 8v6',
  evaluations:
    'M2.5 2.5h4.2v4.2H2.5zM9.3 2.5h4.2v4.2H9.3zM2.5 9.3h4.2v4.2H2.5zM9.3 11.6l1.5 1.7 2.9-3.6',
  environment: 'M2 8h3l2-5 3 10 2-5h2',
  settings:
    'M8 10.2a2.2 2.2 0 100-4.4 2.2 2.2 0 000 4.4zM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6L5 5M11 11l1.4 1.4M12.4 3.6L11 5M5 11l-1.4 1.4',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  search: 'M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.4 10.4L14 14',
  chevronDown: 'M4 6l4 4 4-4',
  chevronRight: 'M6 4l4 4-4 4',
  chevronLeft: 'M10 4L6 8l4 4',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  play: 'M5 3l8 5-8 5z',
  stop: 'M4 4h8v8H4z',
  retry: 'M13 8a5 5 0 11-1.6-3.7M13 2v3h-3',
  folder: 'M2 4h4l1.5 2H14v7H2z',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  pin: 'M6 2h4l-.5 5L12 9.5H4L6.5 7zM8 9.5V14',
  archive: 'M2 3h12v3H2zM3 6v7h10V6M6.5 9h3',
  filter: 'M2 3h12l-4.7 5.5V13l-2.6-1.5v-3z',
  download: 'M8 2v8M4.8 7L8 10.2 11.2 7M3 13.5h10',
  upload: 'M8 11V3M4.8 6L8 2.8 11.2 6M3 13.5h10',
  flag: 'M4 14V2h8l-2 3 2 3H4',
  warning: 'M8 2l6.5 11.5h-13zM8 6.5v3.2M8 11.6h.01',
  info: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.4v3.4M8 5.2h.01',
  keyboard: 'M1.5 4.5h13v7h-13zM4 7h.01M6.7 7h.01M9.4 7h.01M12 7h.01M5 9.3h6',
  bell: 'M4 11V7a4 4 0 018 0v4l1 1.2H3zM6.8 14h2.4',
  sidebar: 'M2 3h12v10H2zM6 3v10',
  note: 'M2.5 3h11v8H8l-3 2.5V11H2.5z',
  split: 'M2 3h12v10H2zM8 3v10',
  unified: 'M2 3h12v10H2zM4.5 6h7M4.5 8h7M4.5 10h4',
  external: 'M9 2.5h4.5V7M13.5 2.5L7.5 8.5M11.5 9.5v4h-9v-9h4',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.6 9.5h6.8L12 4',
  edit: 'M3 13l.6-2.8L10.8 3 13 5.2 5.8 12.4zM9.3 4.5l2.2 2.2',
  chart: 'M2 13.5h12M4 11V8M7 11V4M10 11V6.5M13 11V3',
  terminal: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8 10.2h3',
  clock: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 5v3.2l2.2 1.4',
} satisfies Record<string, string>;

export type IconName = keyof typeof PATHS;

/** A decoration: what it stands for is always said by a word beside it or a label around it. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      className={className === undefined ? styles.icon : `${styles.icon} ${className}`}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
