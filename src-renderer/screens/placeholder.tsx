import { EmptyState } from '../components/notes.tsx';
import { Page } from '../components/page.tsx';
import { placeholdersText } from '../text/en/placeholders.ts';

/** Stands where a screen is being written; says so plainly. */
export function Placeholder({ name }: { name: string }) {
  return (
    <Page title={name}>
      <EmptyState icon="edit" title={placeholdersText.title(name)}>
        {placeholdersText.words}
      </EmptyState>
    </Page>
  );
}
