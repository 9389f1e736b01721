/** A row as an importer reads it. */
export interface Turn {
  isReply: boolean;
  text: string;
  /** The same in OpenAI's form, for a chat template. */
  message: Row;
}

export interface Reading {
  turns: Turn[];
  tools: readonly unknown[];
  /**
   * The importer has templates of its own: tools stand in the prompt whatever the chat template of
   * the model does, and the line end behind a reply is a part of it.
   */
  isFactory: boolean;
  /** Why the importer leaves the row out or fails at it; `null` = it takes it. */
  skipped: string | null;
  notes: string[];
  /** Tokens that the row brings and the importer takes, 1 for each that is learned. */
  mask: readonly number[] | null;
}

export type Row = Record<string, unknown>;

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function rowIn(value: unknown): Row {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function rowsIn(value: unknown): Row[] {
  return Array.isArray(value) ? value.map(rowIn) : [];
}

/** JSON with the blanks of Python's `json.dumps`. */
export function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${spaced(one)}`,
  );
  return `{${members.join(', ')}}`;
}

/** Tools of a row, which may be JSON text. */
export function toolsIn(value: unknown): unknown[] {
  const tools: unknown = typeof value === 'string' && value !== '' ? JSON.parse(value) : value;
  return Array.isArray(tools) ? tools : [];
}
