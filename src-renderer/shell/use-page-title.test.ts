import { expect, it } from 'vitest';
import { titleWithBadge } from '../platform/browser.ts';
import { pageTitle } from './use-page-title.ts';

it('names a window after what is open, with nothing that hides in it', () => {
  expect(pageTitle('Models', null)).toBe('Models · Vivarium');
  expect(pageTitle('Sessions', 'Interest is lost')).toBe('Interest is lost · Vivarium');
  expect(pageTitle('Sessions', 'a\u202Eb\nc')).toBe(String.raw`a\u{202e}b\nc · Vivarium`);
  expect(pageTitle('Sessions', 'x'.repeat(5_000_000))).toBe(`${'x'.repeat(80)} · Vivarium`);
});

it('keeps the badge beside whatever the title is', () => {
  expect(titleWithBadge('(1) of 2 fails', 0)).toBe('(1) of 2 fails');
  expect(titleWithBadge('Models · Vivarium', 3)).toBe('(3) Models · Vivarium');
});
