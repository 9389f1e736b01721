import { type DragEvent, type KeyboardEvent, useId, useState } from 'react';
import { useAction } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/notes.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { Page } from '../../components/page.tsx';
import { ComboBox } from '../../components/select.tsx';
import { TextArea } from '../../components/text-field.tsx';
import { sessionPlace } from '../../navigation.ts';
import { carriesFiles, droppedFolder } from '../../platform/dropped.ts';
import { useServices } from '../../services.ts';
import { isApple } from '../../shortcuts/keys.ts';
import { newFixText } from '../../text/en/new-fix.ts';
import { shellText } from '../../text/en/shell.ts';
import type { NewFixScreenProps } from '../props.ts';
import { CheckList, reasonAgainst } from './check-list.tsx';
import { ModelField } from './model-fields.tsx';
import { MoreOptions } from './more-options.tsx';
import styles from './new-fix.module.css';
import { RepositoryField } from './repository-field.tsx';
import { type FixFormState, useFixForm } from './use-fix-form.ts';

export default function NewFixScreen({ repository }: NewFixScreenProps) {
  const state = useFixForm(repository);
  const { set, issue } = state;
  const start = useStart(state);
  const drop = useDrop((path) => set({ repository: path }));
  const onKeyDown = (event: KeyboardEvent) => {
    const mod = isApple() ? event.metaKey : event.ctrlKey;
    // Dialogs of the form lie elsewhere in the page.
    const inside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Enter' || !mod || !inside) return;
    event.preventDefault();
    start.run();
  };
  return (
    <Page title={newFixText.title} facts={newFixText.words}>
      {/* Keys and drops are for all fields in it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        className={styles.form}
        aria-label={newFixText.title}
        data-dropping={drop.over || undefined}
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
        {...drop.handlers}
      >
        <section className={styles.what} aria-label={newFixText.what}>
          <RepositoryField state={state} />
          <div className={styles.issue}>
            <TextArea
              label={newFixText.issue}
              hint={newFixText.issueHint}
              placeholder={newFixText.issuePlaceholder}
              value={issue.text}
              onChange={issue.setText}
              rows={14}
              isDisabled={!state.ready}
            />
          </div>
        </section>
        <How state={state} start={start} />
      </form>
    </Page>
  );
}

interface HowProps {
  state: FixFormState;
  start: ReturnType<typeof useStart>;
}

function How({ state, start }: HowProps) {
  const { form, set } = state;
  const proposals = state.repository.data?.verifyProposals ?? [];
  const because = proposals.find(({ command }) => command === form.verify)?.because;
  return (
    <section className={styles.how} aria-label={newFixText.how}>
      <ModelField value={form.model} onChange={(model) => set({ model })} />
      <ComboBox
        label={newFixText.verify}
        hint={because === undefined ? newFixText.verifyHint : newFixText.verifyProposed(because)}
        placeholder={newFixText.verifyPlaceholder}
        value={form.verify}
        onChange={(verify) => set({ verify })}
        options={proposals.map(({ command, because }) => ({
          id: command,
          label: command,
          detail: because,
        }))}
        code
      />
      <NumberField
        label={newFixText.attempts}
        hint={newFixText.attemptsHint}
        placeholder={newFixText.usual}
        value={form.attempts}
        onChange={(attempts) => set({ attempts })}
        minValue={1}
        maxValue={100}
      />
      <MoreOptions form={form} set={set} />
      <section className={styles.ready} aria-label={newFixText.ready}>
        <h2>{newFixText.ready}</h2>
        <CheckList check={state.check} />
        {start.error !== null && <ErrorNote error={start.error} />}
      </section>
      <StartBar start={start} />
    </section>
  );
}

/** Always in sight, with the reason why it cannot start yet. */
function StartBar({ start }: Pick<HowProps, 'start'>) {
  const id = useId();
  return (
    <div className={styles.start}>
      <Button
        variant="primary"
        icon="play"
        keys="mod+enter"
        isDisabled={start.reason !== null}
        aria-describedby={id}
        busy={start.isPending ? newFixText.starting : null}
        onPress={start.run}
      >
        {newFixText.start}
      </Button>
      <p id={id} className={styles.soft} role="status">
        {start.reason ?? newFixText.canStart}
      </p>
    </div>
  );
}

function useStart(state: FixFormState) {
  const { navigate } = useServices();
  const action = useAction('sessions/start', ['sessions/list', 'repositories/recent']);
  const reason = reasonAgainst(state);
  const run = () => {
    const { repository, model, issue = '', ...rest } = state.fix;
    if (reason !== null || action.isPending || repository === undefined || model === undefined) {
      return;
    }
    action.mutate(
      { ...rest, repository, model, issue },
      {
        onSuccess: ({ session }) => {
          state.discard();
          navigate(sessionPlace(session));
        },
      },
    );
  };
  return { run, reason, isPending: action.isPending, error: action.error };
}

/** Takes a folder that is dropped on the form, where the shell tells its path. */
function useDrop(onPath: (path: string) => void) {
  const { platform, notices } = useServices();
  const [over, setOver] = useState(false);
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      const dropped = droppedFolder(event.dataTransfer, platform);
      if (dropped === null) return;
      event.preventDefault();
      setOver(false);
      if (dropped.kind === 'folder') return onPath(dropped.path);
      const { file, noPath } = shellText.drop;
      notices.tell({ tone: 'info', text: dropped.kind === 'file' ? file : noPath });
    },
  };
  return { over, handlers };
}
