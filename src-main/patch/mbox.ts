import { createHash } from 'node:crypto';

export interface MailFacts {
  /** Becomes the subject; only its first line is used. */
  title: string;
  /** Lines for the commit message below the subject, such as where the patch comes from. */
  body?: string;
  author?: { name: string; email: string };
  /** Milliseconds since 1970. */
  dateMs: number;
}

const DEFAULT_AUTHOR = { name: 'Vivarium', email: 'vivarium@localhost' };

/**
 * A patch as one mail for `git am`. The patch's bytes come out as they went in: when mail could
 * change them (carriage returns, NUL, long lines, other encodings), the body is sent in base64.
 */
export function mboxOf(patch: Uint8Array, facts: MailFacts): Uint8Array {
  const { name, email } = facts.author ?? DEFAULT_AUTHOR;
  const message = messageText(facts.body ?? '');
  const content = Buffer.concat([
    Buffer.from(`${message}---\n\n`),
    patch,
    Buffer.from('-- \nVivarium\n'),
  ]);
  const plain = isPlain(content);
  const id = createHash('sha1').update(patch).digest('hex');
  const headers = [
    `From ${id} Mon Sep 17 00:00:00 2001`,
    `From: ${encodedWords(oneLine(name))} <${oneLine(email)}>`,
    `Date: ${mailDate(facts.dateMs)}`,
    `Subject: [PATCH] ${encodedWords(subjectOf(facts.title))}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    `Content-Transfer-Encoding: ${plain ? '8bit' : 'base64'}`,
    '',
    '',
  ].join('\n');
  const body = plain ? content : base64Lines(content);
  return Buffer.concat([Buffer.from(headers), body, Buffer.from('\n')]);
}

const MAX_SUBJECT = 120;

function subjectOf(title: string): string {
  const line = oneLine(title.trim().split('\n')[0] ?? '');
  const short = line.length > MAX_SUBJECT ? `${line.slice(0, MAX_SUBJECT - 1)}…` : line;
  return short === '' ? 'Fix' : short.toWellFormed();
}

function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex -- a header must not hold control characters
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
}

/** Body lines that `git am` would take for the start of the patch are pushed in. */
function messageText(body: string): string {
  if (body.trim() === '') return '';
  const lines = body
    .replace(/\r\n?/g, '\n')
    .trimEnd()
    .split('\n')
    .map((line) =>
      /^(---|diff |Index: |From |>+From |-- ?$|.*>8|.*8<)/.test(line) ? `  ${line}` : line,
    );
  return `${lines.join('\n')}\n`;
}

const LONGEST_MAIL_LINE = 990;

function isPlain(content: Buffer): boolean {
  if (content.includes(0) || content.includes(13)) return false;
  let start = 0;
  for (let end = content.indexOf(10); end !== -1; end = content.indexOf(10, start)) {
    if (end - start > LONGEST_MAIL_LINE) return false;
    // An mbox starts a new mail at such a line.
    if (content.subarray(start, start + 5).toString('latin1') === 'From ') return false;
    start = end + 1;
  }
  return isUtf8(content);
}

function isUtf8(content: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}

function base64Lines(content: Buffer): Buffer {
  const lines = content.toString('base64').match(/.{1,76}/g) ?? [];
  return Buffer.from(`${lines.join('\n')}\n`);
}

const ENCODED_WORD_BYTES = 42;

/** RFC 2047 words for text that is not plain ASCII, each within the allowed length. */
function encodedWords(text: string): string {
  if (/^[ -~]*$/.test(text) && !text.includes('=?')) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > ENCODED_WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  words.push(word);
  return words.map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join('\n ');
}

function mailDate(ms: number): string {
  return new Date(ms).toUTCString().replace('GMT', '+0000');
}
