import { expect, test } from 'vitest';
import type { CompletionDelta } from './types.ts';
import { chat, request, serve } from './testing/chat.ts';
import { delta, failure, say, status, stream, type Answer } from './testing/http-server.ts';

/** Cuts the connection after the chunks. */
function breakOff(chunks: object[]): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.write(': end\n\n', () => response.destroy());
  };
}

test('a whole turn: request as local servers want it, reply with all its parts', async () => {
  const server = await serve(
    stream([
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'hm' }),
      delta({ reasoning: 'm' }),
      delta({ content: 'Let me ' }),
      delta({ content: 'look.' }),
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'Read', arguments: '' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"file_path"' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: ':"x"}' } }] }),
      delta({}, 'tool_calls'),
      {
        choices: [],
        usage: {
          prompt_tokens: 10,
          completion_tokens: 5,
          prompt_tokens_details: { cached_tokens: 4 },
        },
      },
    ]),
  );
  const deltas: CompletionDelta[] = [];
  const reply = await chat(server, { apiKey: 'secret-key' }).complete(
    request({
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
        {
          role: 'assistant',
          content: '',
          reasoning: 'why',
          toolCalls: [{ id: 'c', name: 'Glob', arguments: '{"pattern":"*"}' }],
        },
        { role: 'tool', toolCallId: 'c', name: 'Glob', content: 'a.py' },
      ],
      tools: [{ name: 'Read', description: 'd', parameters: { type: 'object' } }],
      sampling: {
        temperature: 0.6,
        topP: 0.95,
        topK: 20,
        minP: 0,
        presencePenalty: 0,
        repetitionPenalty: 1,
        seed: 7,
        templateArguments: { enable_thinking: true },
      },
      onDelta: (piece) => deltas.push(piece),
    }),
  );
  expect(server.requests[0]?.body).toEqual({
    model: 'small',
    messages: [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
      {
        role: 'assistant',
        content: '',
        reasoning_content: 'why',
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'Glob', arguments: '{"pattern":"*"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: 'a.py' },
    ],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0.6,
    top_p: 0.95,
    top_k: 20,
    min_p: 0,
    presence_penalty: 0,
    repetition_penalty: 1,
    seed: 7,
    chat_template_kwargs: { enable_thinking: true },
    tools: [
      {
        type: 'function',
        function: { name: 'Read', description: 'd', parameters: { type: 'object' } },
      },
    ],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    max_tokens: 1000,
  });
  expect(server.requests[0]?.headers.authorization).toBe('Bearer secret-key');
  const names = Object.keys(server.requests[0]?.headers ?? {});
  expect(names.filter((name) => name.startsWith('x-stainless'))).toEqual([]);
  const { timings, ...rest } = reply;
  expect(rest).toEqual({
    content: 'Let me look.',
    reasoning: 'hmm',
    toolCalls: [{ id: 'a', name: 'Read', arguments: '{"file_path":"x"}' }],
    finish: 'calls',
    usage: { promptTokens: 10, completionTokens: 5, cachedTokens: 4 },
    retries: [],
  });
  expect(timings.firstTokenMs).toBeGreaterThan(0);
  expect(timings.totalMs).toBeGreaterThanOrEqual(timings.firstTokenMs ?? 0);
  expect(deltas).toEqual([
    { kind: 'reasoning', text: 'hm' },
    { kind: 'reasoning', text: 'm' },
    { kind: 'content', text: 'Let me ' },
    { kind: 'content', text: 'look.' },
    { kind: 'call', index: 0, name: 'Read', text: '' },
    { kind: 'call', index: 0, name: 'Read', text: '{"file_path"' },
    { kind: 'call', index: 0, name: 'Read', text: ':"x"}' },
  ]);
});

test('L01 arguments that are not a JSON object never go back to a server as they are', async () => {
  const server = await serve(say('ok'));
  await chat(server).complete(
    request({
      messages: [
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'c', name: 'Bash', arguments: '{"command": "ls' }],
        },
        { role: 'tool', toolCallId: 'c', name: 'Bash', content: 'error' },
      ],
    }),
  );
  expect(server.requests[0]?.body['messages']).toEqual([
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        {
          id: 'c',
          type: 'function',
          function: { name: 'Bash', arguments: '{"malformed_arguments":"{\\"command\\": \\"ls"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'c', content: 'error' },
  ]);
});

test('L09 400 once, then 500 twice: tried again, and said', async () => {
  const server = await serve(
    failure(400, 'hiccup'),
    failure(500, 'one'),
    status(502, '<html>bad\n gateway</html>'),
    say('done'),
  );
  const reply = await chat(server).complete(request());
  expect(reply.content).toBe('done');
  expect(reply.retries).toEqual(['400: hiccup', '500: one', '502: <html>bad gateway</html>']);
});

test('L09 400 again and again, 500 again and again: a limit', async () => {
  const bad = await serve(failure(400, 'no'));
  await expect(chat(bad).complete(request())).rejects.toMatchObject({
    code: 'endpoint_error',
    message: `${bad.url} rejected the request: 400: no (after 1 more try)`,
  });
  expect(bad.requests.length).toBe(2);
  const broken = await serve(failure(500, 'ouch'));
  await expect(chat(broken).complete(request())).rejects.toMatchObject({
    code: 'endpoint_error',
    message: `${broken.url} failed: 500: ouch (after 5 more tries)`,
  });
  expect(broken.requests.length).toBe(6);
});

test.each([408, 409, 425, 429, 500, 503, 504])('L09 status %i is tried again', async (code) => {
  const server = await serve(failure(code, 'later'), say('now'));
  expect((await chat(server).complete(request())).content).toBe('now');
});

test('L09 the stream ends in mid-reply: one reply, and the watcher starts anew', async () => {
  const server = await serve(
    breakOff([delta({ content: 'half of' })]),
    stream([delta({ content: 'again half' })]),
    stream([delta({ content: 'x' }), { error: { message: 'engine died', code: 500 } }]),
    stream([delta({ content: 'y' }), delta({}, 'abort')]),
    say('whole'),
  );
  const deltas: CompletionDelta[] = [];
  const reply = await chat(server).complete(request({ onDelta: (piece) => deltas.push(piece) }));
  expect(reply.content).toBe('whole');
  expect(reply.retries.length).toBe(4);
  expect(deltas.map((piece) => (piece.kind === 'restart' ? 'restart' : piece.text))).toEqual([
    'half of',
    'restart',
    'again half',
    'restart',
    'x',
    'restart',
    'y',
    'restart',
    'whole',
  ]);
});

test('L09 a connection that breaks after the finish reason has brought the whole reply', async () => {
  const server = await serve(breakOff([delta({ content: 'all' }), delta({}, 'stop')]));
  const reply = await chat(server).complete(request());
  expect([reply.content, reply.retries.length, server.requests.length]).toEqual(['all', 0, 1]);
});

test('L09 a reset before any answer is tried again', async () => {
  const server = await serve((response) => response.destroy(), say('ok'));
  const reply = await chat(server).complete(request());
  expect(reply.content).toBe('ok');
  expect(reply.retries).toEqual(['socket hang up']);
});

test('L09 a long silence before the first token and between two is no failure', async () => {
  // Node's own fetch gives up after 300 s; here its limits are 0.5 s for the length of the test.
  const key = Symbol.for('undici.globalDispatcher.1');
  await fetch('data:,').then((response) => response.text());
  const holder = globalThis as unknown as Record<
    symbol,
    { constructor: new (o: object) => object }
  >;
  const usual = holder[key];
  if (!usual) throw new Error('no dispatcher');
  holder[key] = new usual.constructor({ headersTimeout: 500, bodyTimeout: 500 }) as typeof usual;
  const slow: Answer = (response) => {
    const later = (ms: number, chunk: object) =>
      setTimeout(() => response.write(`data: ${JSON.stringify(chunk)}\n\n`), ms);
    setTimeout(() => response.writeHead(200, { 'content-type': 'text/event-stream' }), 2500);
    later(5000, delta({ content: 'at ' }));
    later(7500, delta({ content: 'last' }));
    setTimeout(() => response.end(`data: ${JSON.stringify(delta({}, 'stop'))}\n\n`), 7600);
  };
  try {
    const server = await serve(slow);
    await expect(fetch(server.url)).rejects.toMatchObject({
      cause: { code: 'UND_ERR_HEADERS_TIMEOUT' },
    });
    const reply = await chat(server).complete(request());
    expect(reply.content).toBe('at last');
    expect(reply.retries).toEqual([]);
    expect(reply.timings.firstTokenMs).toBeGreaterThan(4900);
  } finally {
    holder[key] = usual;
  }
}, 20_000);

test('a parameter the server does not know is left out from then on', async () => {
  const server = await serve(
    failure(400, 'Unrecognized request arguments supplied: min_p, top_k'),
    status(422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'chat_template_kwargs'] }] }),
    failure(
      400,
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ),
    say('ok'),
  );
  const model = chat(server);
  const sampling = { topK: 20, minP: 0, temperature: 0.5, templateArguments: { a: 1 } };
  const reply = await model.complete(request({ sampling }));
  expect(reply.retries.length).toBe(3);
  await model.complete(request({ sampling }));
  expect(server.requests.length).toBe(5);
  expect(server.requests[4]?.body).toEqual({
    model: 'small',
    messages: [{ role: 'user', content: 'hello' }],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0.5,
    max_completion_tokens: 1000,
  });
});

test('wrong key, unknown model, other refusals: at once, with the next step and without the key', async () => {
  const secret = 'sk-very-secret';
  const refused = await serve(failure(401, `Incorrect API key provided: ${secret}`));
  await expect(
    chat(refused, { apiKey: secret, secrets: [secret] }).complete(request()),
  ).rejects.toMatchObject({
    code: 'endpoint_refused',
    message: `${refused.url} refused access: 401: Incorrect API key provided: ***`,
    next: 'Set VIVARIUM_API_KEY to the key of this server.',
  });
  const unknown = await serve(
    status(404, { object: 'error', message: 'The model `small` does not exist.' }),
  );
  await expect(chat(unknown).complete(request())).rejects.toMatchObject({
    code: 'endpoint_error',
    message: `${unknown.url} does not know the model or the path: 404: The model \`small\` does not exist.`,
  });
  const gone = await serve(failure(410, 'the script is at its end'));
  await expect(chat(gone).complete(request())).rejects.toMatchObject({ code: 'endpoint_error' });
  const tools = await serve(
    failure(
      400,
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    ),
  );
  await expect(chat(tools).complete(request())).rejects.toMatchObject({
    next: 'Start vLLM with --enable-auto-tool-choice and the --tool-call-parser of this model.',
  });
  expect([refused, unknown, gone, tools].map((server) => server.requests.length)).toEqual([
    1, 1, 1, 1,
  ]);
});

test('a server that has answered and is gone: few tries, then endpoint_unreachable', async () => {
  const server = await serve(say('hello'));
  const model = chat(server);
  await model.complete(request());
  await server.close();
  await expect(model.complete(request())).rejects.toMatchObject({
    code: 'endpoint_unreachable',
    message: expect.stringMatching(
      /^nothing answers at .*ECONNREFUSED.* \(after [34] more tries\)$/,
    ) as string,
  });
});

test.each([
  ['application/json', '{"error": "no streaming here"}', 'no streaming here'],
  ['text/html; charset=utf-8', '<p>Sign in</p>', '<p>Sign in</p>'],
])('an answer of type %s is no stream: said at once', async (type, body, said) => {
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  });
  await expect(chat(server).complete(request())).rejects.toMatchObject({
    code: 'endpoint_error',
    message: `${server.url} rejected the request: the server did not stream its reply: ${said}`,
  });
  expect(server.requests.length).toBe(1);
});

test('an abort ends the turn with its reason at once and closes the connection', async () => {
  let closed = false;
  const server = await serve((response) => {
    response.on('close', () => (closed = true));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(delta({ content: 'a' }))}\n\n`);
  });
  const controller = new AbortController();
  const reason = new Error('enough');
  const reply = chat(server).complete(
    request({ signal: controller.signal, onDelta: () => controller.abort(reason) }),
  );
  await expect(reply).rejects.toBe(reason);
  await expect.poll(() => closed).toBe(true);
  expect(server.requests.length).toBe(1);
});

test('an abort ends the pause between two tries', async () => {
  const server = await serve(status(429, { error: { message: 'wait' } }, { 'retry-after': '60' }));
  const startedAt = performance.now();
  await expect(
    chat(server).complete(request({ signal: AbortSignal.timeout(100) })),
  ).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test('a line of the stream that does not end is broken off before it fills the memory', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'A');
  let sent = 0;
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"x":"');
    const next = (): void => {
      sent += 1;
      if (!response.destroyed && sent < 200) response.write(piece, next);
    };
    next();
  });
  await expect(chat(server).complete(request())).rejects.toThrow('longer than 8388608 characters');
  expect(sent).toBeLessThan(100);
});
