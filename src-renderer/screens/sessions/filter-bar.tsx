import type { Ref } from 'react';
import type { OutputOf, SessionQuery, SessionRow } from '../../../src-main/contract/index.ts';
import { Button, ToggleButton } from '../../components/button.tsx';
import { SearchField } from '../../components/text-field.tsx';
import { type Option, Select } from '../../components/select.tsx';
import { stateWord } from '../../components/state-mark.tsx';
import { sessionsText } from '../../text/en/sessions.ts';
import { statesText } from '../../text/en/states.ts';
import { visibleLine } from '../../visible.ts';
import { baseName } from '../paths.ts';
import styles from './sessions-screen.module.css';
import type { ListQuery } from './use-session-pages.ts';

const STATES = Object.keys(statesText.session) as Array<SessionRow['state']>;
const SORTS = Object.keys(sessionsText.sorts) as Array<SessionQuery['sort']>;
const ANY = '';

export const NO_FILTER: ListQuery = {
  text: '',
  states: [],
  repository: null,
  archived: false,
  sort: 'newest',
};

export interface FilterBarProps {
  query: ListQuery;
  onChange: (query: ListQuery) => void;
  known: OutputOf<'sessions/list'> | undefined;
  searchRef: Ref<HTMLInputElement>;
}

/** Search, state, repository, order and archive, in one row. */
export function FilterBar({ query, onChange, known, searchRef }: FilterBarProps) {
  const { counts = {}, repositories = [] } = known ?? {};
  const set = (part: Partial<ListQuery>) => onChange({ ...query, ...part });
  return (
    <search className={styles.filters} aria-label={sessionsText.filters}>
      <div className={styles.search}>
        <SearchField
          ref={searchRef}
          label={sessionsText.search}
          value={query.text}
          onChange={(text) => set({ text })}
        />
      </div>
      <Select<SessionRow['state'] | typeof ANY>
        label={sessionsText.state}
        hideLabel
        value={query.states[0] ?? ANY}
        onChange={(state) => set({ states: state === ANY ? [] : [state] })}
        options={[
          { id: ANY, label: sessionsText.anyState },
          ...STATES.map((state) => ({
            id: state,
            label: sessionsText.stateCount(stateWord('session', state), counts[state] ?? 0),
          })),
        ]}
      />
      <Select
        label={sessionsText.repository}
        hideLabel
        value={query.repository ?? ANY}
        onChange={(path) => set({ repository: path === ANY ? null : path })}
        options={repositoryOptions(repositories)}
      />
      <Select
        label={sessionsText.sort}
        hideLabel
        value={query.sort}
        onChange={(sort) => set({ sort })}
        options={SORTS.map((sort) => ({ id: sort, label: sessionsText.sorts[sort] }))}
      />
      <ToggleButton
        icon="archive"
        isSelected={query.archived}
        onChange={(archived) => set({ archived })}
      >
        {sessionsText.showArchived}
      </ToggleButton>
      {isFiltered(query) && (
        <Button variant="quiet" icon="close" onPress={() => onChange(NO_FILTER)}>
          {sessionsText.clearFilters}
        </Button>
      )}
    </search>
  );
}

/** Whether less than all is looked for; the order does not count. */
export function isFiltered({ text, states, repository, archived }: ListQuery): boolean {
  return text.trim() !== '' || states.length > 0 || repository !== null || archived;
}

function repositoryOptions(repositories: string[]): Array<Option<string>> {
  const own = repositories.map((path) => ({
    id: path,
    label: visibleLine(baseName(path)),
    detail: visibleLine(path),
  }));
  return [{ id: ANY, label: sessionsText.anyRepository }, ...own];
}
