import {
  serveAnswers,
  status,
  type Answer,
  type TestServer as Trainer,
} from '../../src-main/models/testing/http-server.ts';

export type { Trainer };

const PAUSED: Answer = status(
  429,
  { error: 'gateway paused' },
  { 'retry-after': '1', 'x-agl-paused': 'true' },
);
const WRONG_KEY = status(401, { detail: 'Invalid or missing API key' });
const never = { path: '', headers: {}, body: {} };

interface Turn {
  content: string;
  tool_calls?: { name: string; arguments: object }[];
}

/** Tokens of each reply, as vLLM gives them where the proxy asks for them. */
export const TOKENS = { prompt: [1, 2, 3], completion: [4, 5], logprobs: [-0.5, -0.25] };

function replyOf({ content, tool_calls: calls }: Turn, at: number): object {
  const tool_calls = calls?.map(({ name, arguments: given }) => ({
    ...{ id: `call_${at}`, type: 'function' },
    function: { name, arguments: JSON.stringify(given) },
  }));
  const finish_reason = tool_calls === undefined ? 'stop' : 'tool_calls';
  const message = { role: 'assistant', content, ...(tool_calls && { tool_calls }) };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const logprobs = { content: TOKENS.logprobs.map((logprob) => ({ token: '', logprob })) };
  return {
    ...{ object: 'chat.completion', prompt_token_ids: TOKENS.prompt, usage },
    choices: [{ index: 0, message, finish_reason, token_ids: TOKENS.completion, logprobs }],
  };
}

/**
 * A trainer's side as Agent Lightning 1.0 has it: no list of models, no streams, bearer key. The first
 * `pauses` requests to the model find it paused.
 */
export function serveTrainer(
  key: string,
  turns: readonly Turn[],
  events: readonly number[] = [],
  pauses = 0,
): Promise<Trainer> {
  let said = 0;
  let refused = 0;
  let posted = 0;
  const answer: Answer = (response, { path: asked, headers, body }) => {
    const isCall = asked.endsWith('/chat/completions');
    if (!isCall && asked !== '/events') return status(405, {})(response, never);
    if (headers.authorization !== `Bearer ${key}`) return WRONG_KEY(response, never);
    if (asked === '/events') return status(events[posted++] ?? 200, {})(response, never);
    if (body['stream'] !== undefined) return status(400, { detail: 'no stream' })(response, never);
    if (refused < pauses) {
      refused += 1;
      return PAUSED(response, never);
    }
    const turn = turns[said++];
    if (turn === undefined) return status(403, { detail: 'no more' })(response, never);
    return status(200, replyOf(turn, said))(response, never);
  };
  return serveAnswers([answer]);
}
