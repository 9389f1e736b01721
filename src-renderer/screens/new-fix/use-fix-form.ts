import { useEffect, useLayoutEffect, useRef } from 'react';
import type { RepositoryFacts } from '../../../src-main/contract/index.ts';
import { useCall, useConnection } from '../../api/hooks.ts';
import { useDraft } from '../../components/use-draft.ts';
import { useDebounced } from '../use-debounced.ts';
import { EMPTY_FORM, type FixForm, fixOf, isAbsolute, parseForm } from './fix-form.ts';

const REST_MS = 350;

/** The form, its drafts, what is known of its repository, and what is missing before a start. */
export function useFixForm(dropped: string | null) {
  const enabled = useConnection() === 'open';
  const issue = useDraft('new-fix.issue');
  const kept = useDraft('new-fix.form', JSON.stringify(EMPTY_FORM));
  const form = parseForm(kept.text);
  const newest = useRef(form);
  useLayoutEffect(() => {
    newest.current = form;
  });
  const set = (part: Partial<FixForm>) => {
    // Two parts may be set between two drawings, and the second must not undo the first.
    newest.current = { ...newest.current, ...part };
    kept.setText(JSON.stringify(newest.current));
  };
  const ready = issue.ready && kept.ready;
  useArrived(ready ? dropped : null, (repository) => set({ repository }));

  const settings = useCall('settings/get', {}, { enabled });
  const models = useCall('models/list', {}, { enabled });
  const usual = settings.data?.defaults.model ?? models.data?.[0]?.model.name ?? null;
  useFirst(ready && usual !== null && form.model === '', () => set({ model: usual ?? '' }));

  const path = useDebounced(form.repository.trim(), REST_MS);
  const repository = useCall(
    'repositories/inspect',
    { path },
    { enabled: enabled && isAbsolute(path) },
  );
  useProposal(repository.data, form, set);
  const fix = fixOf(form, issue.text);
  const asked = useDebounced(fix, REST_MS);
  const check = useCall('sessions/check', asked, { enabled: enabled && ready, keep: true });
  const settled = JSON.stringify(asked) === JSON.stringify(fix) && !check.isPlaceholderData;
  return {
    ...{ issue, form, set, ready, repository, check, fix, settled },
    path,
    discard() {
      issue.discard();
      // Repository and model stay: the next fix is often in the same place.
      const { repository, model, scaffold, verify } = form;
      kept.setText(JSON.stringify({ ...EMPTY_FORM, repository, model, scaffold, verify }));
    },
  };
}

export type FixFormState = ReturnType<typeof useFixForm>;

/** Fills in the best proposal for a repository once it is known, unless a person wrote something else. */
function useProposal(
  facts: RepositoryFacts | undefined,
  { verify }: FixForm,
  set: (part: Partial<FixForm>) => void,
): void {
  const last = useRef<{ top: string; command: string } | null>(null);
  useEffect(() => {
    if (facts === undefined || last.current?.top === facts.top) return;
    const command = facts.settings['verify'] === undefined ? firstProposal(facts) : '';
    const isOwn = verify !== '' && verify !== last.current?.command;
    last.current = { top: facts.top, command };
    if (!isOwn && command !== verify) set({ verify: command });
  });
}

function firstProposal({ verifyProposals }: RepositoryFacts): string {
  return verifyProposals[0]?.command ?? '';
}

/** Takes each value once: the menu may name another repository while the form is open. */
function useArrived(value: string | null, take: (value: string) => void): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (value === null || last.current === value) return;
    last.current = value;
    take(value);
  });
}

/** Runs once, as soon as it can. */
function useFirst(can: boolean, run: () => void): void {
  const done = useRef(false);
  useEffect(() => {
    if (!can || done.current) return;
    done.current = true;
    run();
  });
}
