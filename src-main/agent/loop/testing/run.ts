import { onTestFinished } from 'vitest';
import type { AttemptLimits, AttemptRequest } from '../../types.ts';
import { runAttempt } from '../run-attempt.ts';
import {
  LIMITS,
  recorder,
  scriptedModel,
  stubScaffold,
  stubWorkspace,
  type Recorded,
  type Tool,
} from './stubs.ts';

interface Setup {
  lines: object[];
  tools?: Record<string, Tool>;
  limits?: Partial<AttemptLimits>;
  more?: Partial<AttemptRequest>;
}

export const TOOLS: Record<string, Tool> = {
  Read: ({ arguments: given }) => `text of ${String(given['file_path'])}`,
  Bash: () => 'Exit code: 0',
};

/** Runs an attempt of the stub scaffold with a scripted model. */
export async function run({ lines, tools = TOOLS, limits, more }: Setup) {
  const model = await scriptedModel(lines);
  onTestFinished(() => model.close());
  const recorded = recorder();
  const outcome = await runAttempt({
    task: { instruction: 'fix it' },
    scaffold: stubScaffold(tools),
    chat: model.chat,
    workspace: stubWorkspace().workspace,
    limits: { ...LIMITS, ...limits },
    contextTokens: model.info.contextTokens,
    seed: 1,
    recorder: recorded,
    signal: new AbortController().signal,
    ...more,
  });
  return { outcome, recorded };
}

/** What the steps added to the history. */
export function history(recorded: Recorded): string[] {
  return recorded.steps.flatMap((step) =>
    step.messages.map((message) => `${message.role}: ${message.content}`),
  );
}
