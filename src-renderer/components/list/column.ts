import type { ReactNode } from 'react';

/** A column of a list of rows. */
export interface Column<Item> {
  id: string;
  header: string;
  /** A track of a CSS grid: `minmax(0, 1fr)`, `6rem`. */
  width: string;
  align?: 'start' | 'end';
  render: (item: Item) => ReactNode;
}
