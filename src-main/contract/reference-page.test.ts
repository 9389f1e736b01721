import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CODES, EXIT_REASONS, REVIEW_FLAGS, serverStatusSchema } from './index.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/reference.md'), 'utf8');

/** Names in backticks in the first column of a section's table. */
function listed(heading: string, column = 1): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...(line.split('|')[column] ?? '').matchAll(/`(\w+)`/g)])
    .map((match) => match[1] ?? '');
}

test('the reference page lists every exit reason, review flag, error code and server state, and no other', () => {
  expect(listed('How an attempt ends')).toEqual(Object.keys(EXIT_REASONS));
  expect(listed('Review flags')).toEqual(Object.keys(REVIEW_FLAGS));
  expect(listed('Model servers')).toEqual(serverStatusSchema.shape.state.options);
  expect(listed('Errors', 2).toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
});
