import type { ReviewNote } from '../../contract/index.ts';
import { codeOf } from '../report/facts.ts';
import { codeBlock, codeSpan } from '../../lib/index.ts';
import type { OpenReview } from './open-review.ts';
import { selectionOf } from './selection.ts';

const APPLIED =
  'A patch for this is in the files already, not committed: `git diff` shows it. A reviewer read it and asks for changes. Keep what is right, change what is asked for, and check your work again.';
const NOT_APPLIED =
  'A patch for this was tried before. A reviewer read it and took none of it; it is not in the files. Start again with what the reviewer says in mind.';

/**
 * The issue of a follow-up: the original one, what a person says of the patch, and what of it was
 * rejected, in Markdown.
 */
export function followUpIssue(review: OpenReview, issue: string, text: string): string {
  const { rejected, notes } = selectionOf(review);
  const nothingLeft = rejected.length === review.units.length;
  const parts = [
    issue.trim(),
    '## Review',
    nothingLeft ? NOT_APPLIED : APPLIED,
    text.trim(),
    ...notes.map((note) => noteText(review, note)),
    ...(rejected.length > 0 && !nothingLeft
      ? ['The reviewer rejected these parts; they are not in the files:', rejectedText(rejected)]
      : []),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function noteText(review: OpenReview, note: ReviewNote): string {
  const { path, line, text } = note;
  if (line === null) return `${codeSpan(path)}:\n\n${text}`;
  const quoted = codeOf(review, note);
  const code = quoted === null ? '' : `\n\n${codeBlock(quoted)}`;
  return `${codeSpan(path)} line ${line}:${code}\n\n${text}`;
}

function rejectedText(rejected: readonly { path: string; header: string }[]): string {
  return rejected.map(({ path, header }) => `- ${codeSpan(path)} ${codeSpan(header)}`).join('\n');
}
