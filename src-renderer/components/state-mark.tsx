import { statesText } from '../text/en/states.ts';
import { classes } from './classes.ts';
import styles from './state-mark.module.css';

export type Shape =
  | 'ring'
  | 'disc'
  | 'tick'
  | 'cross'
  | 'triangle'
  | 'square'
  | 'dash'
  | 'half'
  | 'diamond';
type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'plain';

type States = Omit<typeof statesText, never>;
export type StateKind = keyof States;
export type StateOf<K extends StateKind> = keyof States[K] & string;

/** No two states of a kind that could be mixed up share a shape: colour is only the third sign. */
const LOOKS: { [K in StateKind]: Record<StateOf<K>, [Shape, Tone]> } = {
  session: {
    running: ['half', 'info'],
    interrupted: ['dash', 'warn'],
    verified: ['tick', 'ok'],
    patched: ['diamond', 'info'],
    not_verified: ['triangle', 'warn'],
    no_patch: ['ring', 'plain'],
    cancelled: ['square', 'plain'],
    failed: ['cross', 'bad'],
  },
  server: {
    stopped: ['ring', 'plain'],
    planning: ['half', 'info'],
    loading: ['half', 'info'],
    ready: ['disc', 'ok'],
    busy: ['diamond', 'ok'],
    stopping: ['dash', 'warn'],
    failed: ['cross', 'bad'],
    lost: ['triangle', 'bad'],
  },
  check: {
    ok: ['tick', 'ok'],
    warning: ['triangle', 'warn'],
    missing: ['cross', 'bad'],
    unknown: ['dash', 'plain'],
  },
  test: {
    passed: ['tick', 'ok'],
    failed: ['cross', 'bad'],
    error: ['triangle', 'bad'],
    skipped: ['dash', 'plain'],
  },
  decision: {
    accepted: ['tick', 'ok'],
    rejected: ['cross', 'bad'],
    open: ['ring', 'plain'],
  },
  connection: {
    connecting: ['half', 'info'],
    open: ['disc', 'ok'],
    lost: ['triangle', 'bad'],
    refused: ['cross', 'bad'],
  },
};

export interface StateMarkProps<K extends StateKind> {
  kind: K;
  state: StateOf<K>;
  /** The shape alone, with the word as its label: only where the word stands elsewhere in the row. */
  shapeOnly?: boolean;
  /** The words in the colour of their surroundings: where the shape says enough beside much else. */
  quiet?: boolean;
  /** Other words than the usual ones, where there is more to say. */
  words?: string;
}

/** A state as a shape, a word and a colour. */
export function StateMark<K extends StateKind>(props: StateMarkProps<K>) {
  const [shape, tone] = LOOKS[props.kind][props.state];
  const words = props.words ?? stateWord(props.kind, props.state);
  const spins = props.state === 'running' || props.state === 'loading';
  if (props.shapeOnly === true) {
    return (
      <span
        className={classes(styles.mark, styles.alone, styles[tone])}
        role="img"
        aria-label={words}
        title={words}
      >
        <ShapeOf shape={shape} turns={spins} tone={tone} />
      </span>
    );
  }
  return (
    <span className={classes(styles.mark, props.quiet === true ? styles.quiet : styles[tone])}>
      <ShapeOf shape={shape} turns={spins} tone={tone} />
      <span>{words}</span>
    </span>
  );
}

/** The word of a state. */
export function stateWord<K extends StateKind>(kind: K, state: StateOf<K>): string {
  return (statesText[kind] as Record<string, string>)[state] ?? state;
}

function ShapeOf({ shape, turns, tone }: { shape: Shape; turns: boolean; tone: Tone }) {
  return (
    <svg
      className={classes(styles.shape, styles[tone], turns && styles.turns)}
      viewBox="0 0 12 12"
      aria-hidden="true"
    >
      {DRAWN[shape]}
    </svg>
  );
}

const DRAWN: Record<Shape, React.ReactElement> = {
  ring: <circle className={styles.line} cx="6" cy="6" r="4" />,
  disc: <circle className={styles.full} cx="6" cy="6" r="4.4" />,
  tick: <path className={styles.line} d="M2 6.4l2.8 2.8L10 3.4" />,
  cross: <path className={styles.line} d="M2.8 2.8l6.4 6.4M9.2 2.8L2.8 9.2" />,
  triangle: <path className={styles.full} d="M6 1.2L11.2 10.6H.8z" />,
  square: <rect className={styles.line} x="2.4" y="2.4" width="7.2" height="7.2" rx="1" />,
  dash: <path className={styles.line} d="M2.4 6h7.2" />,
  half: (
    <>
      <circle className={styles.line} cx="6" cy="6" r="4.2" />
      <path className={styles.full} d="M6 1.8a4.2 4.2 0 010 8.4z" />
    </>
  ),
  diamond: <path className={styles.full} d="M6 .9L11.1 6 6 11.1.9 6z" />,
};
