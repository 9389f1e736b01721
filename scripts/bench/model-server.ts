import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

/** A model server that answers at once; it runs in a process of its own, so as not to be ours. */
export interface ModelServer {
  url: string;
  /** Ends it; returns how long it thought about each completion, from request read to reply sent. */
  close(): Promise<number[]>;
}

/** Serves `steps` turns of one Bash call each, whose outputs have about `chars` characters. */
export async function serveModel(steps: number, chars: number): Promise<ModelServer> {
  const child = fork(import.meta.filename, [String(steps), String(chars)], { execArgv: [] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      const told = once(child, 'message') as Promise<[number[]]>;
      child.send('times');
      const [times] = await told;
      child.kill();
      return times;
    },
  };
}

function reply(turn: number, steps: number, chars: number): object {
  if (turn >= steps) return { content: 'Done.' };
  // The number keeps the calls, and what they print, different from turn to turn.
  const command = `head -c ${chars} package_0/part_0/module_${turn % 50}.py; echo turn ${turn}`;
  const call = { name: 'Bash', arguments: JSON.stringify({ command }) };
  return {
    content: `Turn ${turn}.`,
    tool_calls: [{ index: 0, id: `call_${turn}`, type: 'function', function: call }],
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  plan: { steps: number; chars: number; times: number[] },
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'bench', object: 'model' }] }));
    return;
  }
  const started = performance.now();
  const body = Buffer.concat(parts).toString();
  const { messages } = JSON.parse(body) as { messages: { role: string }[] };
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  const delta = reply(turn, plan.steps, plan.chars);
  const done = 'tool_calls' in delta ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: Math.round(body.length / 4), completion_tokens: 40 };
  const chunk = (choices: object[], more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'bench', choices, ...more })}\n\n`;
  response.setHeader('content-type', 'text/event-stream');
  response.write(
    chunk([{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }]),
  );
  response.write(chunk([{ index: 0, delta: {}, finish_reason: done }]));
  response.write(chunk([], { usage: { ...usage, total_tokens: usage.prompt_tokens + 40 } }));
  response.end('data: [DONE]\n\n');
  plan.times.push(performance.now() - started);
}

function main(): void {
  const [steps, chars] = process.argv.slice(2).map(Number);
  const plan = { steps: steps ?? 0, chars: chars ?? 0, times: [] as number[] };
  const server = createServer((request, response) => {
    answer(request, response, plan).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
  process.on('message', () => process.send?.(plan.times));
  process.on('disconnect', () => process.exit());
}

if (process.argv[1] === import.meta.filename) main();
