import { type CSSProperties, memo } from 'react';
import { classes } from '../classes.ts';
import type { Column } from './column.ts';
import styles from './virtual-grid.module.css';

interface GridHeadProps<Item> {
  columns: Array<Column<Item>>;
  template: string;
  hidden: boolean;
}

export function GridHead<Item>({ columns, template, hidden }: GridHeadProps<Item>) {
  return (
    <div role="rowgroup" className={hidden ? 'visually-hidden' : styles.head}>
      <div
        role="row"
        aria-rowindex={1}
        className={styles.headRow}
        style={{ gridTemplateColumns: template }}
      >
        {columns.map((column) => (
          <div key={column.id} role="columnheader" className={styles[column.align ?? 'start']}>
            {column.header}
          </div>
        ))}
      </div>
    </div>
  );
}

interface GridHeadingProps {
  index: number;
  /** How many it stands across. */
  columns: number;
  style: CSSProperties;
  children: string;
}

/** The heading of a group of rows. */
export function GridHeading({ index, columns, style, children }: GridHeadingProps) {
  return (
    <div role="row" aria-rowindex={index + 2} className={styles.heading} style={style}>
      <div role="gridcell" aria-colspan={columns}>
        {children}
      </div>
    </div>
  );
}

export interface GridRowProps<Item> {
  id: string;
  item: Item;
  index: number;
  columns: Array<Column<Item>>;
  isMarked: boolean;
  /** Tracks of the columns. */
  template: string;
  /** Height and distance from the top, in pixels. */
  size: number;
  top: number;
  /** `onControl`: the press was on a button or link inside the row. Always the same function. */
  onPress: (index: number, onControl: boolean) => void;
}

/** Drawn anew only when something of it changed: a scroll asks for all rows with each frame. */
export const GridRow = memo(PlainGridRow) as typeof PlainGridRow;

function PlainGridRow<Item>(props: GridRowProps<Item>) {
  const { id, item, index, columns, isMarked, template, size, top, onPress } = props;
  return (
    // Its keys are the grid's: the row is the active descendant, it never has the focus.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isMarked}
      className={classes(styles.row, isMarked && styles.marked)}
      style={{
        height: size,
        transform: `translateY(${top}px)`,
        gridTemplateColumns: template,
      }}
      onClick={({ target, currentTarget }) => onPress(index, isControl(target, currentTarget))}
    >
      {columns.map(({ id: column, align, render }) => (
        <div
          key={column}
          role="gridcell"
          className={classes(styles.cell, styles[align ?? 'start'])}
        >
          {render(item)}
        </div>
      ))}
    </div>
  );
}

function isControl(target: EventTarget, row: Element): boolean {
  const control = target instanceof Element ? target.closest('button, a, input, label') : null;
  return control !== null && row.contains(control);
}
