import { shellText } from '../../text/en/shell.ts';
import { Placeholder } from '../placeholder.tsx';
import type { NewFixScreenProps } from '../props.ts';

/** Not written yet. */
export default function NewFixScreen(_props: NewFixScreenProps) {
  return <Placeholder name={shellText.screens.new} />;
}
