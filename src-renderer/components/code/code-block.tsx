import { useEffect, useMemo, useState } from 'react';
import { componentsText } from '../../text/en/components.ts';
import { Button } from '../button.tsx';
import { classes } from '../classes.ts';
import { VisibleText } from '../visible-text.tsx';
import styles from './code-block.module.css';
import { highlightedLines } from './highlight.ts';
import { cutLine, linesOf, type Piece, shownLines } from './lines.ts';
import './syntax.css';

export interface CodeBlockProps {
  text: string;
  /** Name for the highlighter, see `languageOf`; `null` = plain. */
  language?: string | null;
  /** Number of the first line; `null` = no numbers. */
  firstLine?: number | null;
  /** Lines shown at first; `null` = all. */
  limit?: number | null;
  /** Marks lines, by index from 0. */
  lineTone?: (index: number) => 'add' | 'del' | 'bad' | null;
  wrap?: boolean;
  label?: string;
}

/** Lines added with each press of the button: one frame's work. */
const MORE_LINES = 1_000;

/** Foreign text as code: bounded, numbered, hidden characters visible, colours loaded lazily. */
export function CodeBlock(props: CodeBlockProps) {
  const { text, language = null, firstLine = null, limit = 40, lineTone, wrap = false } = props;
  const [extra, setExtra] = useState(0);
  const lines = useMemo(() => linesOf(text), [text]);
  const coloured = useHighlighted(language, text);
  const shown = shownLines(lines.length, limit === null ? null : limit + extra);
  return (
    <div className={styles.block}>
      <pre
        className={classes(styles.pre, wrap && styles.wrap)}
        // It scrolls sideways, so the keyboard has to reach it.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="group"
        aria-label={props.label ?? componentsText.code}
      >
        {lines.slice(0, shown).map((line, index) => (
          // eslint-disable-next-line react/no-array-index-key -- a line is its number
          <span key={index} className={classes(styles.line, tone(lineTone?.(index)))}>
            {firstLine !== null && <span className={styles.number}>{firstLine + index}</span>}
            <Line line={line} pieces={coloured?.[index] ?? null} />
            {'\n'}
          </span>
        ))}
      </pre>
      {shown < lines.length && (
        <div className={styles.more}>
          <Button small variant="quiet" onPress={() => setExtra(extra + MORE_LINES)}>
            {componentsText.showAll(lines.length)}
          </Button>
        </div>
      )}
    </div>
  );
}

function Line({ line, pieces }: { line: string; pieces: Piece[] | null }) {
  const { shown, rest } = cutLine(line);
  if (pieces === null || rest > 0) {
    return (
      <span className={styles.content}>
        <VisibleText text={shown} />
        {rest > 0 && <span className={styles.rest}>{componentsText.lineCut(rest)}</span>}
      </span>
    );
  }
  return (
    <span className={styles.content}>
      {pieces.map((piece, index) => (
        // eslint-disable-next-line react/no-array-index-key -- pieces of a line never move
        <span key={index} className={piece.className ?? undefined}>
          <VisibleText text={piece.text} />
        </span>
      ))}
    </span>
  );
}

function tone(name: 'add' | 'del' | 'bad' | null | undefined): string | undefined {
  return name === null || name === undefined ? undefined : styles[name];
}

function useHighlighted(language: string | null, text: string): Piece[][] | null {
  const [result, setResult] = useState<{ text: string; lines: Piece[][] | null } | null>(null);
  useEffect(() => {
    if (language === null) return undefined;
    let current = true;
    highlightedLines(language, text).then(
      (lines) => {
        if (current) setResult({ text, lines });
      },
      // Without colours it is still code.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [language, text]);
  return result?.text === text ? result.lines : null;
}
