import { VivariumError } from '../lib/index.ts';

/** For bytes that are no patch of ours. */
export function patchInvalid(): VivariumError {
  return new VivariumError(
    'patch_invalid',
    'the patch is not in the form Vivarium writes',
    'Export the patch again with `vivarium export`.',
  );
}
