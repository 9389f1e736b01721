import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { componentsText } from '../text/en/components.ts';
import styles from './split-pane.module.css';

export interface SplitPaneProps {
  /** Keeps its width under this name. */
  name: string;
  main: ReactNode;
  /** The pane whose width is set; below the main one where the page is narrow. */
  side: ReactNode;
  /** Width of the side pane at first, in rem. */
  sideRem?: number;
  leastRem?: number;
}

const STEP_REM = 2;
const LEAST_MAIN_REM = 22;

/** Two panes and a handle between them that mouse and arrow keys move. */
export function SplitPane({ name, main, side, sideRem = 32.5, leastRem = 18 }: SplitPaneProps) {
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(() => remembered(name) ?? sideRem);
  const move = (wanted: number) => {
    const next = Math.max(leastRem, Math.min(mostRem(host.current), wanted));
    setWidth(next);
    remember(name, next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: STEP_REM, ArrowRight: -STEP_REM }[event.key];
    if (by !== undefined) move(width + by);
    else if (event.key === 'Home') move(Number.POSITIVE_INFINITY);
    else if (event.key === 'End') move(leastRem);
    else return;
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (host.current === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    move((host.current.getBoundingClientRect().right - event.clientX) / remPx());
  };
  return (
    <div ref={host} className={styles.split}>
      <div className={styles.main}>{main}</div>
      {/* A separator that can be moved is a control by ARIA's own words. */}
      {/* eslint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
      <div
        className={styles.handle}
        role="separator"
        aria-orientation="vertical"
        aria-label={componentsText.resize}
        aria-valuemin={leastRem}
        aria-valuemax={99}
        aria-valuenow={Math.round(width)}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onDoubleClick={() => move(sideRem)}
      />
      {/* eslint-enable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.side} style={{ '--side': `${width}rem` } as React.CSSProperties}>
        {side}
      </div>
    </div>
  );
}

function mostRem(host: HTMLElement | null): number {
  return host === null ? Number.POSITIVE_INFINITY : host.clientWidth / remPx() - LEAST_MAIN_REM;
}

function remPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

function remembered(name: string): number | null {
  try {
    const width = Number(localStorage.getItem(`vivarium.split.${name}`) ?? Number.NaN);
    return Number.isFinite(width) && width > 0 ? width : null;
  } catch {
    return null;
  }
}

function remember(name: string, width: number): void {
  try {
    localStorage.setItem(`vivarium.split.${name}`, String(width));
  } catch {
    // Then it starts with its usual width the next time.
  }
}
