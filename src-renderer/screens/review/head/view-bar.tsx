import { Button, IconButton, ToggleButton } from '../../../components/button.tsx';
import { Menu } from '../../../components/menu.tsx';
import { useMoveInSession, usePlace } from '../../../services.ts';
import { useKeysOf } from '../../../shortcuts/use-action-key.ts';
import { reviewText } from '../../../text/en/review.ts';
import styles from '../review.module.css';
import type { ReviewState } from '../use-review-state.ts';

/** How the changes are looked at, and the ways through them. */
export function ViewBar(props: { state: ReviewState; wide: boolean; onFiles: () => void }) {
  const { state, wide, onFiles } = props;
  const { view: words } = reviewText;
  const move = useMoveInSession();
  const place = usePlace();
  const allFolded = state.view.folded.size === state.view.review.files.length;
  return (
    <>
      <div className={styles.bar} role="toolbar" aria-label={words.label}>
        <Ways state={state} onFiles={onFiles} />
        <span className={styles.grow} />
        <Toggles state={state} />
        <Menu
          label={words.options}
          trigger={<IconButton icon="more" label={words.options} className={styles.tool ?? ''} />}
          entries={[
            {
              id: 'fold',
              label: allFolded ? words.unfold : words.fold,
              icon: allFolded ? 'chevronDown' : 'chevronRight',
              onAction: () => state.foldAll(!allFolded),
            },
          ]}
        />
        {place.screen === 'session' && (
          <Button
            small
            icon={wide ? 'sidebar' : 'external'}
            onPress={() => move({ tab: 'review', wide: !wide }, { replace: false })}
          >
            {wide ? words.narrow : words.full}
          </Button>
        )}
      </div>
      {state.ignoreSpace && (
        <p className={styles.remark} role="status">
          {words.spaceHidden}
        </p>
      )}
    </>
  );
}

/** How the lines stand, and whether white space counts. */
function Toggles({ state }: { state: ReviewState }) {
  const { view: words } = reviewText;
  return (
    <>
      <ToggleButton
        small
        variant="quiet"
        icon="split"
        isSelected={state.view.split}
        onChange={state.setSplit}
      >
        {words.split}
      </ToggleButton>
      <ToggleButton
        small
        variant="quiet"
        isSelected={state.ignoreSpace}
        onChange={state.setIgnoreSpace}
      >
        {words.spaceShort}
      </ToggleButton>
    </>
  );
}

function Ways({ state, onFiles }: { state: ReviewState; onFiles: () => void }) {
  const { view: words } = reviewText;
  const keys = {
    next: useKeysOf('hunk.next'),
    previous: useKeysOf('hunk.previous'),
  };
  return (
    <>
      <Button small icon="file" onPress={onFiles}>
        {words.files}
      </Button>
      <IconButton
        icon="chevronDown"
        label={words.next}
        keys={keys.next}
        className={styles.tool ?? ''}
        onPress={() => state.goChange(1)}
      />
      <IconButton
        icon="chevronDown"
        label={words.previous}
        keys={keys.previous}
        className={`${styles.tool} ${styles.up}`}
        onPress={() => state.goChange(-1)}
      />
    </>
  );
}
