import type { Handlers } from '../../contract/index.ts';
import { VivariumError } from '../../lib/index.ts';

/**
 * Lets a page write files only where a person has said so outside of the page; whatever has got into a
 * page can then put no file anywhere. Paths that are only read may be typed: what is read leaves this
 * machine in no case, and models and settings are kept below the data folder.
 *
 * @param take whether a folder may be written, once; asked for each call
 * @returns the handlers; those that write a folder throw VivariumError `out_unwritable` without leave
 */
export function guardWrites(
  handlers: Partial<Handlers>,
  take: (folder: string) => boolean,
): Partial<Handlers> {
  const write = handlers['review/export'];
  if (write === undefined) return handlers;
  return {
    ...handlers,
    'review/export': async (input, context) => {
      if (!take(input.out)) throw notPicked();
      return write(input, context);
    },
  };
}

/** Calls that name a place to write to; a test compares them with the contract. */
export const WRITING_CALLS = ['review/export'] as const;

function notPicked(): VivariumError {
  return new VivariumError(
    'out_unwritable',
    'this page may not write into a folder that nobody picked for it',
    'Pick the folder in the dialog, or download the file.',
  );
}
