import type { EventOf, ExitReason } from '../../contract/index.ts';
import { openAiMessage, toChatMessage } from '../../fix/index.ts';
import { callsOfStep, commandOf } from '../analysis/calls-of-step.ts';
import type { OutFolder } from './out-folder.ts';
import { cellLabel, seedFolder } from './places.ts';
import { readCell } from './read-cell.ts';
import { jsonFile, jsonText, lenientText, textOf } from './text.ts';
import type { CellRecord, ExportSource } from './types.ts';

/** Names of endings as mini-swe-agent has them; the others keep ours. */
const EXIT_STATUSES: Partial<Record<ExitReason, string>> = {
  agent: 'Submitted',
  max_turns: 'LimitsExceeded',
};

/**
 * preds.json and `ID/ID.traj.json` as mini-swe-agent's batch runner leaves them; a folder for each
 * entry and seed, since preds.json has one patch for each id.
 */
export async function exportMiniSweAgent(
  source: ExportSource,
  out: OutFolder,
  notes: string[],
): Promise<number> {
  let done = 0;
  for (const [entry, { modelName }] of source.created.entries.entries()) {
    for (const seed of source.created.seeds) {
      const folder = seedFolder(source, entry, seed);
      const cells = source.cells.filter((cell) => cell.entry === entry && cell.seed === seed);
      const predictions = await out.append([...folder, 'preds.json']);
      let written = 0;
      for (const cell of cells) {
        const record = readCell(source, cell);
        if (record === null) {
          notes.push(`left out: ${cellLabel(source, cell)}: no attempt was made`);
          continue;
        }
        const { id } = record;
        await out.write([...folder, id, `${id}.traj.json`], jsonFile(trajectoryOf(record)));
        const patch = textOf(record.patch);
        if (patch === null) {
          notes.push(`no patch: ${cellLabel(source, cell)}: it is not UTF-8, JSON cannot hold it`);
        }
        const row = { model_name_or_path: modelName, instance_id: id, model_patch: patch };
        await predictions.write(
          `${written === 0 ? '{' : ','}\n${jsonText(id)}: ${jsonText(row, 2)}`,
        );
        written += 1;
      }
      await predictions.write(written === 0 ? '{}\n' : '\n}\n');
      done += written;
    }
  }
  return done;
}

/** A trajectory of the form `mini-swe-agent-1.1`. Messages are kept; their facts are in `extra`. */
function trajectoryOf(record: CellRecord): Record<string, unknown> {
  const { session, opened, steps, finished, patch, id } = record;
  const reason = finished?.exitReason ?? 'interrupted';
  const status = EXIT_STATUSES[reason] ?? reason;
  const submission = lenientText(patch);
  const messages = [
    ...(opened?.messages ?? []).map((message) => openAiMessage(toChatMessage(message))),
    ...steps.flatMap((step) => messagesOf(step, session.model.name)),
    ...(finished === undefined
      ? []
      : [
          {
            role: 'exit',
            content: finished.finalMessage ?? '',
            extra: { exit_status: status, submission },
          },
        ]),
  ];
  return {
    info: {
      model_stats: { instance_cost: 0, api_calls: steps.length },
      config: {
        agent: { step_limit: record.session.request['maxSteps'] ?? 0 },
        agent_type: `vivarium.${session.scaffold.name}`,
        model: { model_name: session.model.name },
        environment: { image: session.request['image'] ?? null },
      },
      mini_version: '',
      ...{ exit_status: status, submission },
    },
    messages,
    trajectory_format: 'mini-swe-agent-1.1',
    instance_id: id,
  };
}

function messagesOf(
  step: EventOf<'step.finished'> & { at: number },
  model: string,
): Record<string, unknown>[] {
  const results = [...step.observations];
  return step.messages.map((message) => {
    const shown = openAiMessage(toChatMessage(message));
    if (message.role === 'assistant') return { ...shown, extra: extraOf(step, model) };
    // A text scaffold answers all calls of a turn in one user message.
    const result = results.shift();
    const returncode = result?.run?.exitCode ?? null;
    return { ...shown, extra: { timestamp: step.at / 1000, returncode } };
  });
}

function extraOf(step: EventOf<'step.finished'> & { at: number }, model: string) {
  const { usage, timings } = step;
  return {
    actions: callsOfStep(step).map((call) => ({
      command: commandOf(call) ?? `${call.name} ${jsonText(call.arguments)}`,
      ...{ tool: call.name, arguments: call.arguments },
    })),
    response: {
      model,
      usage: {
        prompt_tokens: usage.promptTokens,
        completion_tokens: usage.completionTokens,
        prompt_tokens_details: { cached_tokens: usage.cachedTokens },
      },
    },
    cost: 0,
    timestamp: (step.at - timings.ownMs - timings.toolsMs) / 1000,
  };
}
