import type { ReactNode } from 'react';
import styles from './data-table.module.css';

export interface DataColumn<Item> {
  id: string;
  header: ReactNode;
  align?: 'start' | 'end';
  render: (item: Item) => ReactNode;
}

export interface DataTableProps<Item> {
  /** What the rows are; shown above the table unless hidden. */
  caption: string;
  hideCaption?: boolean;
  columns: Array<DataColumn<Item>>;
  rows: readonly Item[];
  keyOf: (item: Item) => string;
}

/** A table of a few hundred rows at most; the first column heads its row. */
export function DataTable<Item>(props: DataTableProps<Item>) {
  return (
    // Scrolls sideways on narrow pages, so the keyboard has to reach it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroller} tabIndex={0} role="group" aria-label={props.caption}>
      <table className={styles.table}>
        <caption className={props.hideCaption === true ? 'visually-hidden' : styles.caption}>
          {props.caption}
        </caption>
        <thead>
          <tr>
            {props.columns.map(({ id, header, align }) => (
              <th key={id} scope="col" className={styles[align ?? 'start']}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={props.keyOf(row)}>
              {props.columns.map(({ id, align, render }, index) =>
                index === 0 ? (
                  <th key={id} scope="row" className={styles[align ?? 'start']}>
                    {render(row)}
                  </th>
                ) : (
                  <td key={id} className={styles[align ?? 'start']}>
                    {render(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
