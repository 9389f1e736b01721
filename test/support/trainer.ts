import {
  serveAnswers,
  status,
  type Answer,
  type TestServer as Trainer,
} from '../../src-main/models/testing/http-server.ts';

export type { Trainer };

const never = { path: '', headers: {}, body: {} };

interface Turn {
  content: string;
  tool_calls?: { name: string; arguments: object }[];
}

function replyOf({ content, tool_calls: calls }: Turn, at: number): object {
  const tool_calls = calls?.map(({ name, arguments: given }) => ({
    ...{ id: `call_${at}`, type: 'function' },
    function: { name, arguments: JSON.stringify(given) },
  }));
  const finish_reason = tool_calls === undefined ? 'stop' : 'tool_calls';
  const message = { role: 'assistant', content, ...(tool_calls && { tool_calls }) };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  return { object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage };
}

/** A trainer's side as Agent Lightning 1.0 has it: no list of models, no streams, bearer key. */
export function serveTrainer(
  key: string,
  turns: readonly Turn[],
  events: readonly number[] = [],
): Promise<Trainer> {
  let said = 0;
  let posted = 0;
  const answer: Answer = (response, { path: asked, headers, body }) => {
    if (headers.authorization !== `Bearer ${key}`) return status(401, {})(response, never);
    if (asked === '/events') return status(events[posted++] ?? 200, {})(response, never);
    if (!asked.endsWith('/chat/completions')) return status(405, {})(response, never);
    if (body['stream'] !== undefined) return status(400, { detail: 'no stream' })(response, never);
    const turn = turns[said++];
    if (turn === undefined) return status(403, { detail: 'no more' })(response, never);
    return status(200, replyOf(turn, said))(response, never);
  };
  return serveAnswers([answer]);
}
