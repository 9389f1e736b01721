/** First `limit` characters (code points, as Python counts), and how many were left off. */
export function clip(text: string, limit: number): { head: string; dropped: number } {
  // Code points are never more than UTF-16 units.
  if (text.length <= limit) return { head: text, dropped: 0 };
  let at = 0;
  for (let points = 0; points < limit && at < text.length; points++) at = after(text, at);
  let dropped = 0;
  for (let next = at; next < text.length; dropped++) next = after(text, next);
  return { head: text.slice(0, at), dropped };
}

function after(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

export function countCharacters(text: string): number {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g);
  return text.length - (pairs?.length ?? 0);
}

/** Up to about `limit` characters from the end, cut at a line start where one is near. */
export function tailOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(text.length - limit);
  const line = cut.indexOf('\n');
  if (line !== -1 && line < limit / 4) return cut.slice(line + 1);
  return /^[\udc00-\udfff]/.test(cut) ? cut.slice(1) : cut;
}

/** Up to about `limit` characters from the start, cut at a line end where one is near. */
export function headOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  const line = cut.lastIndexOf('\n');
  if (line !== -1 && line > (limit * 3) / 4) return cut.slice(0, line);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
