import type { ServerResponse } from 'node:http';
import { newId } from '../../../../lib/index.ts';
import type { ReplyCall, ReplyWriter } from './reply.ts';

/** Comment lines keep a client from giving up while a long prompt is read. */
const KEEP_ALIVE_MS = 10_000;

/** Sends the reply as server-sent events, one small delta at a time. */
export function createStreamWriter(
  response: ServerResponse,
  model: string,
  includeUsage: boolean,
): ReplyWriter & { fail(body: object): void } {
  const base = { ...head(model), object: 'chat.completion.chunk' };
  const send = (data: object): void => {
    response.write(`data: ${JSON.stringify(data)}\n\n`);
  };
  const delta = (value: object): void =>
    send({ ...base, choices: [{ index: 0, delta: value, finish_reason: null }] });
  let timer: NodeJS.Timeout | undefined;
  const close = (): void => {
    clearInterval(timer);
    response.end();
  };
  return {
    begin: () => {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      });
      delta({ role: 'assistant', content: '' });
      timer = setInterval(() => response.write(': reading\n\n'), KEEP_ALIVE_MS);
      response.once('close', () => clearInterval(timer));
    },
    reasoning: (text) => delta({ reasoning_content: text }),
    content: (text) => delta({ content: text }),
    call: (index, call) => delta({ tool_calls: [{ index, ...call }] }),
    end: ({ finish, usage, timings }) => {
      const choices = [{ index: 0, delta: {}, finish_reason: finish }];
      send({ ...base, choices, timings });
      if (includeUsage) send({ ...base, choices: [], usage, timings });
      response.write('data: [DONE]\n\n');
      close();
    },
    fail: (body) => {
      send(body);
      close();
    },
  };
}

/** Collects the reply and sends it as one JSON object. */
export function createJsonWriter(response: ServerResponse, model: string): ReplyWriter {
  let content = '';
  let reasoning = '';
  const calls: ReplyCall[] = [];
  return {
    begin: () => {},
    reasoning: (text) => {
      reasoning += text;
    },
    content: (text) => {
      content += text;
    },
    call: (_index, call) => {
      calls.push(call);
    },
    end: ({ finish, usage, timings }) => {
      const message = {
        role: 'assistant',
        content,
        ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
      };
      const choices = [{ index: 0, message, finish_reason: finish }];
      sendJson(response, 200, {
        ...head(model),
        object: 'chat.completion',
        choices,
        usage,
        timings,
      });
    },
  };
}

/** Sends a page in Prometheus' text format. */
export function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  response.end(text);
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

function head(model: string): { id: string; created: number; model: string } {
  return { id: `chatcmpl-${newId()}`, created: Math.floor(Date.now() / 1000), model };
}
