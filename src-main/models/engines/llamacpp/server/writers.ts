import type { ServerResponse } from 'node:http';
import { newId } from '../../../../lib/index.ts';
import type { ReplyCall, ReplyWriter } from './reply.ts';

/** Comment lines keep a client from giving up while a long prompt is read. */
const KEEP_ALIVE_MS = 10_000;

/**
 * Pieces of text that come faster than this are sent together. A small model makes a token in less
 * than a millisecond; sending and reading each by itself would take as long again. Slower ones lose
 * nothing: a piece that comes later than this after the one before goes out at once.
 */
const GATHER_MS = 8;

/** Sends the reply as server-sent events, in small deltas. */
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
  const text = gather((kind, piece) => delta({ [kind]: piece }));
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
      response.once('close', () => {
        clearInterval(timer);
        text.drop();
      });
    },
    reasoning: (piece) => text.add('reasoning_content', piece),
    content: (piece) => text.add('content', piece),
    call: (index, call) => {
      text.flush();
      delta({ tool_calls: [{ index, ...call }] });
    },
    end: ({ finish, usage, timings }) => {
      text.flush();
      const choices = [{ index: 0, delta: {}, finish_reason: finish }];
      send({ ...base, choices, timings });
      if (includeUsage) send({ ...base, choices: [], usage, timings });
      response.write('data: [DONE]\n\n');
      close();
    },
    fail: (body) => {
      text.flush();
      send(body);
      close();
    },
  };
}

type TextKind = 'content' | 'reasoning_content';

/** Sends the first piece at once, and what comes within {@link GATHER_MS} of a piece together. */
function gather(send: (kind: TextKind, text: string) => void): {
  add(kind: TextKind, text: string): void;
  flush(): void;
  drop(): void;
} {
  let held = '';
  let heldKind: TextKind = 'content';
  let sentAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const drop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    held = '';
  };
  const flush = (): void => {
    const text = held;
    drop();
    if (text === '') return;
    sentAt = performance.now();
    send(heldKind, text);
  };
  return {
    add: (kind, text) => {
      if (kind !== heldKind) flush();
      heldKind = kind;
      held += text;
      const waitMs = sentAt + GATHER_MS - performance.now();
      if (waitMs <= 0) return flush();
      timer ??= setTimeout(flush, waitMs);
    },
    flush,
    drop,
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
    end: ({ finish, usage, timings, tokens }) => {
      const message = {
        role: 'assistant',
        content,
        ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
      };
      const choices = [{ index: 0, message, finish_reason: finish, ...tokens?.choice }];
      sendJson(response, 200, {
        ...head(model),
        ...tokens?.reply,
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
