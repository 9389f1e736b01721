/** A call found in plain text. */
export interface TextCall {
  /** As written, surrounding blanks removed; not checked against the tools. */
  name: string;
  /** JSON text of an object. Values of XML calls are all strings: the text form carries no types. */
  arguments: string;
  form: 'hermes' | 'qwen-coder' | 'bare-json';
}

/** What a reading of one form found at one place of the text. */
export type Found =
  | { ok: true; start: number; end: number; call: TextCall; notes: string[] }
  | { ok: false; start: number; end: number; fault: string };

/** Outcome of {@link parseCallsFromText}. */
export interface TextCalls {
  /** In the order of the text. */
  calls: TextCall[];
  /** The text without the calls (readable or not) and their wrappers, trimmed. */
  rest: string;
  /** What had to be repaired. */
  notes: string[];
  /** Calls that were begun but can't be read, each with its fault in a few words. */
  broken: string[];
}
