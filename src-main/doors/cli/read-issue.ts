import { createReadStream } from 'node:fs';
import process from 'node:process';
import { messageOf, VivariumError } from '../../lib/index.ts';
import { usageError } from './failure.ts';

/** An issue longer than this would not leave a small model room to work. */
const MOST_BYTES = 1024 * 1024;

function unreadable(file: string, why: string, cause?: unknown): VivariumError {
  return new VivariumError(
    'issue_unreadable',
    `cannot read the issue from ${file === '-' ? 'standard input' : file}: ${why}`,
    'Name a text file of at most 1 MiB that says what is wrong.',
    cause,
  );
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
};

function reasonOf(thrown: unknown): string {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : '';
  return REASONS[String(code)] ?? messageOf(thrown);
}

/** At most one byte more than an issue may have: the name may be of a disk image or a pipe. */
async function readBounded(file: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const stream = file === '-' ? process.stdin : createReadStream(file);
  for await (const part of stream) {
    parts.push(Buffer.from(part));
    bytes += parts.at(-1)?.length ?? 0;
    if (bytes > MOST_BYTES) break;
  }
  return Buffer.concat(parts);
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
  const content = await readBounded(issueFile).catch((thrown: unknown) => {
    throw unreadable(issueFile, reasonOf(thrown), thrown);
  });
  if (content.length > MOST_BYTES) throw unreadable(issueFile, 'it is larger than 1 MiB');
  if (content.includes(0)) throw unreadable(issueFile, 'it is not a text file');
  const text = new TextDecoder().decode(content);
  if (text.trim() === '') throw unreadable(issueFile, 'it is empty');
  return text;
}
