import { expect, it } from 'vitest';
import { crashLog } from './crash-log.ts';

it('the log of a crash says when, where and why, and what of the page broke', () => {
  const error = new Error('no rows', { cause: new TypeError('rows is undefined') });
  error.stack = 'Error: no rows\n    at List';
  const page = { at: new Date(0), hash: '#/sessions', agent: 'Chromium' };
  expect(crashLog(error, '\n    at List\n    at App\n', page)).toBe(
    [
      ...['time: 1970-01-01T00:00:00.000Z', 'place: #/sessions', 'browser: Chromium', ''],
      ...['Error: no rows\n    at List', 'cause: rows is undefined', ''],
      ...['components:', 'at List\n    at App', ''],
    ].join('\n'),
  );
  expect(crashLog('odd', '', page)).toContain('\nodd\n');
});
