/** A piece of a text that people read: words as they stand, or a block of code. */
export type ProsePart =
  | { kind: 'words'; text: string }
  | { kind: 'code'; text: string; language: string | null };

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;

/** Splits a text at its code fences; one that is never closed runs to the end, as in Markdown. */
export function proseParts(text: string): ProsePart[] {
  const parts: ProsePart[] = [];
  let lines: string[] = [];
  let fence: { mark: string; language: string | null } | null = null;
  const close = () => {
    const joined = lines.join('\n');
    lines = [];
    if (fence !== null) parts.push({ kind: 'code', text: joined, language: fence.language });
    else if (joined.trim() !== '')
      parts.push({ kind: 'words', text: joined.replace(/^\n+|\n+$/g, '') });
  };
  for (const line of text.split('\n')) {
    const found = FENCE.exec(line.trimEnd());
    const mark = found?.[1] ?? '';
    const ends: boolean = fence !== null && mark.startsWith(fence.mark) && found?.[2] === '';
    if (found === null || (fence !== null && !ends)) {
      lines.push(line);
      continue;
    }
    close();
    fence = ends
      ? null
      : { mark, language: found[2] === '' ? null : (found[2] ?? '').toLowerCase() };
  }
  close();
  return parts;
}
