import { shellText } from '../../text/en/shell.ts';
import { Placeholder } from '../placeholder.tsx';
import type { ModelsScreenProps } from '../props.ts';

/** Not written yet. */
export default function ModelsScreen(_props: ModelsScreenProps) {
  return <Placeholder name={shellText.screens.models} />;
}
