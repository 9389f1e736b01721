import { afterAll, beforeAll, describe } from 'vitest';
import type { Subject, WorkspaceMaker } from './subject.ts';
import { commandCases } from './workspace-commands.ts';
import { endingCases } from './workspace-endings.ts';
import { exportCases } from './workspace-export.ts';
import { fileCases } from './workspace-files.ts';

/**
 * The behaviour every workspace must have, whatever runs it. Call it inside a test file of the
 * back end: `workspaceConformance('Docker', () => openBench())`.
 */
export function workspaceConformance(name: string, make: () => Promise<WorkspaceMaker>): void {
  describe(`a workspace on ${name}`, () => {
    // Filled in before any case runs.
    const subject = {} as Subject;

    beforeAll(async () => {
      subject.maker = await make();
      subject.workspace = await subject.maker.open();
    });

    afterAll(() => subject.maker.dispose());

    commandCases(subject);
    endingCases(subject);
    fileCases(subject);
    exportCases(subject);
  });
}
