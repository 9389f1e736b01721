/** Characters that take two columns in a terminal. */
const WIDE =
  /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u;
/** Characters that take none of their own. */
const NARROWLESS = /^[\p{Mark}\p{Format}]+$/u;
const PLAIN = /^[\x20-\x7e]*$/;

const segmenter = new Intl.Segmenter();

function widthOfCluster(cluster: string): number {
  if (WIDE.test(cluster)) return 2;
  return NARROWLESS.test(cluster) ? 0 : 1;
}

/** Columns a line of text takes in a terminal, as near as can be known without asking it. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOfCluster(segment);
  return width;
}

/** The text, or its beginning and `…` where it takes more than `columns`; clusters stay whole. */
export function truncateToWidth(text: string, columns: number): string {
  // Clusters never take more columns than code units, so short texts need no counting.
  if (text.length <= columns && PLAIN.test(text)) return text;
  if (columns <= 0) return '';
  let width = 0;
  let kept = '';
  for (const { segment } of segmenter.segment(text)) {
    const next = width + widthOfCluster(segment);
    if (next > columns - 1) {
      const rest = text.slice(kept.length);
      return width + displayWidth(rest) <= columns ? text : `${kept}…`;
    }
    width = next;
    kept += segment;
  }
  return text;
}

/** The text filled up with blanks to `columns`; longer text stays as it is. */
export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}
