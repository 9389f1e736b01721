import type { RunCell } from '../../contract/index.ts';
import { cell } from '../statistics/testing.ts';
import type { RunOnRecord } from './run-on-record.ts';
import { graded, runOf } from './sample-run.ts';

const TAG = '<script>alert(1)</script><img src=x onerror=alert(2)>';
/** Tags, Markdown, links and hidden characters in one text. */
export const HOSTILE = `${TAG}"' onclick=x | \`\`\` a\u202eb\u200bc\u0007\u001b[31m </style></title> [x](javascript:alert(3)) @someone #1 http://evil.example`;

/** A run in which every text that is not ours is hostile. */
export function hostileRun(): RunOnRecord {
  const verdict = graded(false);
  const unmet = [{ name: HOSTILE, status: 'FAILED' as const }];
  const change: Partial<RunCell> = {
    outcome: 'regression',
    ending: 'final_answer',
    premature: true,
    grading: {
      ...verdict,
      summary: HOSTILE,
      failToPass: { expected: 1, met: 0, unmet },
      passToPass: { expected: 1, met: 0, unmet },
    },
    detail: HOSTILE,
    suspicions: [{ kind: 'tests_weakened', step: 1, evidence: HOSTILE }],
    label: { label: HOSTILE, note: HOSTILE },
  };
  const labels = [`${HOSTILE} x leaf`, `other ${HOSTILE}`];
  const cells = [0, 1].flatMap((entry) => [
    cell({ task: HOSTILE, entry, ...change, resolved: entry === 1 }),
    cell({ task: 'b', entry, ...change, state: 'infra', outcome: 'infra', grading: null }),
  ]);
  const environment = { [HOSTILE]: HOSTILE };
  return runOf(cells, { labels, name: HOSTILE, environment, tasksFolder: `/a/${HOSTILE}` });
}
