import { Placeholder } from '../placeholder.tsx';
import { sessionText } from '../../text/en/session.ts';

export interface ReviewPanelProps {
  session: string;
  attempt: string;
}

/** Not written yet. */
export function ReviewPanel(_props: ReviewPanelProps) {
  return <Placeholder name={sessionText.tabs.review} />;
}
