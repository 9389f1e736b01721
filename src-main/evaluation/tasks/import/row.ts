/** One row of a data set, as it was written: nothing is known of its members yet. */
export type Row = Readonly<Record<string, unknown>>;
