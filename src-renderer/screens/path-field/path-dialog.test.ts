import { expect, it } from 'vitest';
import { startOf } from './path-dialog.tsx';

it('begins in the folder of what was typed', () => {
  expect(
    ['', '  ', 'name', '/', '/etc', '/media/disk/', '/media/disk/fro', 'C:\\a\\b.gguf'].map(
      startOf,
    ),
  ).toEqual([null, null, null, '/', '/', '/media/disk/', '/media/disk', 'C:\\a']);
});
