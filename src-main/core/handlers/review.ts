import type { Handlers, Review } from '../../contract/index.ts';
import {
  decide,
  note,
  openReview,
  removeNote,
  selectedBytes,
  showReview,
  type OpenReview,
} from '../../fix/index.ts';
import { VivariumError } from '../../lib/index.ts';
import { checkApplies } from '../../patch/index.ts';
import type { Environment } from '../environment.ts';
import { sessionRunner } from '../session-runner.ts';
import { downloadReview, exportReview } from './review-export.ts';
import { recoverPatches } from '../sessions.ts';

type ReviewHandlers = Pick<
  Handlers,
  | 'review/get'
  | 'review/decide'
  | 'review/note'
  | 'review/removeNote'
  | 'review/export'
  | 'review/download'
  | 'sessions/followUp'
>;

/** Looking at a patch, deciding on its parts, and taking it along. */
export function reviewHandlers(environment: Environment): ReviewHandlers {
  // Asked for each time: the store is opened on first use, not when the handlers are made.
  const opened = (session: string, attempt: string | undefined): OpenReview =>
    openReview(environment.store, environment.store.session(session).sessionId, attempt);
  const shown = (session: string, attempt: string | undefined, signal: AbortSignal) =>
    show(environment, opened(session, attempt), signal);
  return {
    async 'review/get'({ session, attempt }, { signal }) {
      await recoverPatches(environment, environment.store.session(session).sessionId);
      return shown(session, attempt, signal);
    },
    async 'review/decide'({ session, attempt, hunks, decision, patch }, { signal }) {
      const review = opened(session, attempt);
      if (patch !== undefined && patch !== review.sha256) throw anotherPatch();
      decide(environment.store, review, hunks, decision);
      return shown(session, attempt, signal);
    },
    async 'review/note'({ session, attempt, note: given }, { signal }) {
      note(environment.store, opened(session, attempt), given);
      return shown(session, attempt, signal);
    },
    async 'review/removeNote'({ session, attempt, id }, { signal }) {
      removeNote(environment.store, opened(session, attempt), id);
      return shown(session, attempt, signal);
    },
    'review/export': (input) => exportReview(environment, input),
    'review/download': (input) => downloadReview(environment, input),
    'sessions/followUp': async (request, { signal }) => ({
      session: await sessionRunner(environment).followUp(request, signal),
    }),
  };
}

/** Ids of parts are places: of another patch they mean something else. */
function anotherPatch(): VivariumError {
  return new VivariumError(
    'usage',
    'the attempt went on, and has another patch than the one that was shown',
    'Look at the patch as it is now, and decide again.',
  );
}

/** With a look at the user's working tree, which may have changed since. */
async function show(
  { store, config }: Environment,
  review: OpenReview,
  signal: AbortSignal,
): Promise<Review> {
  const selected = selectedBytes(review);
  if (selected.length === 0) {
    return { ...showReview(review), appliesToWorkingTree: null, appliesDetail: null };
  }
  const { repository } = store.session(review.sessionId);
  const { applies, detail } = await checkApplies(selected, repository, {
    home: config.home,
    signal,
  });
  return { ...showReview(review), appliesToWorkingTree: applies, appliesDetail: detail };
}
