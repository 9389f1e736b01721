import { shellText } from '../../text/en/shell.ts';
import { Placeholder } from '../placeholder.tsx';

/** Not written yet. */
export default function EnvironmentScreen() {
  return <Placeholder name={shellText.screens.environment} />;
}
