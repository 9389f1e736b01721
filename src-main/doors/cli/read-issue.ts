import { readFile, stat } from 'node:fs/promises';
import process from 'node:process';
import { messageOf, VivariumError } from '../../lib/index.ts';
import { usageError } from './failure.ts';

/** An issue longer than this would not leave a small model room to work. */
const MOST_BYTES = 1024 * 1024;

function unreadable(file: string, why: string, cause?: unknown): VivariumError {
  return new VivariumError(
    'issue_unreadable',
    `cannot read the issue from ${file}: ${why}`,
    'Name a text file of at most 1 MiB that says what is wrong.',
    cause,
  );
}

async function readInput(): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of process.stdin) {
    parts.push(Buffer.from(part));
    bytes += parts.at(-1)?.length ?? 0;
    if (bytes > MOST_BYTES) break;
  }
  return Buffer.concat(parts);
}

async function readIssueFile(file: string): Promise<Buffer> {
  if (file === '-') return readInput();
  try {
    const { size } = await stat(file);
    // Checked before reading: the name may be of a disk image.
    if (size > MOST_BYTES) throw new Error('it is larger than 1 MiB');
    return await readFile(file);
  } catch (cause) {
    throw unreadable(file, messageOf(cause), cause);
  }
}

/**
 * The issue text from exactly one of the two options.
 * @throws VivariumError `usage` or `issue_unreadable`
 */
export async function readIssue(options: { issue?: string; issueFile?: string }): Promise<string> {
  const { issue, issueFile } = options;
  if (issue !== undefined) return issue;
  if (issueFile === undefined) {
    throw usageError(
      'there is no issue to fix',
      'Say what is wrong with --issue TEXT or --issue-file FILE.',
    );
  }
  const content = await readIssueFile(issueFile);
  if (content.length > MOST_BYTES) throw unreadable(issueFile, 'it is larger than 1 MiB');
  if (content.includes(0)) throw unreadable(issueFile, 'it is not a text file');
  const text = new TextDecoder().decode(content);
  if (text.trim() === '') throw unreadable(issueFile, 'it is empty');
  return text;
}
