import type { Graded, Judge } from '../../evaluation/index.ts';
import type { SynthParts } from './types.ts';

/** The same parts, whose judges tell how long tests ran, and judge again what the machine spoilt. */
export function withTimes(parts: SynthParts, onSeconds: (seconds: number) => void): SynthParts {
  const timed =
    (judge: Judge): Judge =>
    async (task, patch) => {
      const graded = await judge(task, patch);
      onSeconds(graded.grading.seconds);
      return graded;
    };
  return {
    ...parts,
    withJudges: (use) =>
      parts.withJudges((judges) => use({ ...judges, patch: patient(timed(judges.patch)) })),
  };
}

/** A workspace that was lost says nothing of the bug: once more, in a new one. */
function patient(judge: Judge): Judge {
  return async (task, patch) => {
    const graded = await judge(task, patch);
    return wasLost(graded) ? judge(task, patch) : graded;
  };
}

function wasLost({ grading }: Graded): boolean {
  const reason = grading.infra?.reason;
  return reason === 'workspace_lost' || reason === 'container_unavailable';
}
