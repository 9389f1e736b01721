import { stripVTControlCharacters } from 'node:util';
import { redact } from '../client/redact.ts';

/** Control characters that neither a file nor a terminal should get; tabs stay. */
// eslint-disable-next-line no-control-regex -- They are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A line as it is kept and shown: no colours, no control characters, no secrets. */
export function cleanLine(line: string, secrets: readonly string[]): string {
  const plain = stripVTControlCharacters(line).replace(CONTROL, '').trimEnd();
  return redact(plain, secrets);
}
