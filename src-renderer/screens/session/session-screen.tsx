import { shellText } from '../../text/en/shell.ts';
import { Placeholder } from '../placeholder.tsx';
import type { SessionScreenProps } from '../props.ts';

/** Not written yet. */
export default function SessionScreen(_props: SessionScreenProps) {
  return <Placeholder name={shellText.screens.sessions} />;
}
