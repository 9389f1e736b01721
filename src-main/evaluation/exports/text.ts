const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes as text, every character kept; `null` when they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** Bytes as text for people: what is not UTF-8 becomes U+FFFD. */
export function lenientText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

/**
 * JSON that every reader takes: half of a surrogate pair, which a model's cut-off text can end with,
 * becomes U+FFFD. All other characters stay, hidden ones too.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === 'string' ? member.toWellFormed() : member),
    indent,
  );
}

/** A JSON document as a file. */
export function jsonFile(value: unknown): Uint8Array {
  return Buffer.from(`${jsonText(value, 2)}\n`);
}
