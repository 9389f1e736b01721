import type { Settings } from '../../../src-main/contract/index.ts';

/** What the parts of the general tab show and change. */
export interface GeneralProps {
  settings: Settings;
  onChange: (changes: Partial<Settings>) => void;
}
