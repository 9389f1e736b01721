import path from 'node:path';
import { truncateToWidth } from '../../../lib/index.ts';
import type { SessionSummary } from '../../../store/index.ts';
import type { Console } from '../console.ts';
import { formatAge, formatChange } from '../render/format.ts';
import { OUTCOME_WORDS } from '../render/result.ts';
import { jsonText, oneLine, pathText } from '../render/safe-text.ts';
import { renderTable } from '../render/table.ts';
import { withCore } from '../with-core.ts';

const HEADING = [
  'ID',
  'STATE',
  'AGE',
  'MODEL',
  'REPOSITORY',
  'STEPS',
  'CHANGE',
  'VERIFIED',
  'TITLE',
];

/** What a narrow terminal does without: the state tells it too, or `vivarium show` does. */
const SPARE = ['VERIFIED', 'MODEL', 'STEPS'];

/** On a terminal names may not take the room of what follows them. */
const NAME_COLUMNS = 20;

function verifiedWord(verified: boolean | null): string {
  if (verified === null) return '-';
  return verified ? 'yes' : 'no';
}

/** The table of sessions as `vivarium sessions` prints it at the time `now` (ms since 1970). */
export function renderSessions(
  sessions: readonly SessionSummary[],
  now: number,
  columns: number | null,
): string {
  const name = (text: string): string =>
    columns === null ? text : truncateToWidth(text, NAME_COLUMNS);
  const rows = sessions.map((session) => [
    session.sessionId,
    OUTCOME_WORDS[session.state],
    formatAge((now - session.createdAt) / 1000),
    name(oneLine(session.model)),
    name(pathText(path.basename(session.repository))),
    String(session.steps),
    session.files === 0 ? '-' : formatChange(session),
    verifiedWord(session.verified),
    oneLine(session.title),
  ]);
  return renderTable(HEADING, rows, columns, SPARE);
}

/** `vivarium sessions`. */
export async function sessions(
  console: Console,
  { json, limit, run }: { json?: boolean; limit?: number; run?: string },
): Promise<number> {
  const list = await withCore(console, async ({ core }) =>
    core.sessions({
      ...(limit !== undefined && { limit }),
      ...(run !== undefined && { run: (await core.evaluations.show(run)).run.runId }),
    }),
  );
  if (json) console.out(jsonText(list));
  else if (list.length > 0) console.out(renderSessions(list, Date.now(), console.outColumns()));
  else console.err('There are no sessions yet. Begin one with `vivarium fix`.\n');
  return 0;
}
