import { shellText } from '../../text/en/shell.ts';
import { Placeholder } from '../placeholder.tsx';

/** Not written yet. */
export default function SessionsScreen() {
  return <Placeholder name={shellText.screens.sessions} />;
}
