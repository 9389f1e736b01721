import type { Grading } from '../../contract/index.ts';
import { VivariumError } from '../../lib/index.ts';
import { blamedOnPatch } from './evidence-blobs.ts';
import { AMBIGUOUS_REASONS } from './infra-signs.ts';
import type { Graded, GradeRequest } from './types.ts';

/**
 * Whether it is the patch that keeps its tests from coming to an end: then they do without it, in the
 * same image, on the same machine, now. Else a patch that hangs its tests or ends their runner would
 * stand beside the score and not in it, and the model that writes such patches would gain by them.
 * `null` = nothing is known, as before.
 * @throws the signal's reason, and errors that are no VivariumError
 */
export async function blamePatch(
  request: Omit<GradeRequest, 'changes'>,
  { grading, blobs }: Graded,
  grade: (request: GradeRequest) => Promise<Graded>,
): Promise<Graded | null> {
  if (!mayBeThePatch(grading)) return null;
  try {
    const without = await grade({ ...request, changes: [] });
    request.signal.throwIfAborted();
    if (without.grading.infra !== null) return null;
    return blamedOnPatch({ grading, blobs }, without.grading);
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof VivariumError)) throw error;
    return null;
  }
}

function mayBeThePatch({ infra }: Grading): boolean {
  return infra !== null && AMBIGUOUS_REASONS.has(infra.reason);
}
