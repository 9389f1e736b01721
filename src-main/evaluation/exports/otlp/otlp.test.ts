import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportRun } from '../export-run.ts';
import {
  addCell,
  bashTurn,
  BEGUN,
  INFRA,
  lastTurn,
  testRun,
  textTurn,
  type TestRun,
} from '../testing.ts';
import { receiver, type Receiver } from '../trackers/testing.ts';
import { NAMES, SEMANTIC_CONVENTIONS } from './conventions.ts';
import { nanoseconds, type KeyValue, type Span } from './values.ts';

let test: TestRun;
let server: Receiver | undefined;
beforeEach(() => {
  test = testRun();
});
afterEach(async () => {
  test.close();
  await server?.close();
  server = undefined;
});

interface Request {
  resourceSpans: {
    schemaUrl: string;
    scopeSpans: { spans: Span[]; schemaUrl: string }[];
  }[];
}

const spansOf = (body: unknown): Span[] =>
  (body as Request).resourceSpans.flatMap((resource) =>
    resource.scopeSpans.flatMap(({ spans }) => spans),
  );
const plain = (attributes: KeyValue[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

async function written(content = false): Promise<{ text: string; requests: unknown[] }> {
  const out = path.join(test.folder, `out-${String(content)}`);
  await exportRun(test.source(), { format: 'otlp', out, content });
  const text = readFileSync(path.join(out, 'traces.jsonl'), 'utf8');
  const lines = text.trimEnd().split('\n');
  return { text, requests: lines.map((line) => JSON.parse(line) as unknown) };
}

describe('OTLP in lines of JSON', () => {
  it('one trace for a cell: agent, then turns and calls, then the verdict', async () => {
    addCell(test, {
      task: 'one',
      turns: [bashTurn('cat private', 'secret.py'), lastTurn('secret')],
    });
    const { requests, text } = await written();
    expect(requests).toHaveLength(1);
    const spans = spansOf(requests[0]);
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
      ['invoke_agent leaf', 1],
      ['chat frog', 3],
      ['execute_tool Bash', 1],
      ['chat frog', 3],
    ]);
    const [agent, chat, tool] = spans;
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(4);
    expect(agent?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(agent?.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([
      undefined,
      ...Array.from({ length: 3 }, () => agent?.spanId),
    ]);
    expect(plain(agent?.attributes ?? [])).toEqual({
      ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.provider.name': 'vllm' },
      ...{ 'gen_ai.agent.name': 'leaf', 'gen_ai.agent.version': 'h' },
      ...{ 'gen_ai.request.model': 'frog', 'gen_ai.request.seed': '0' },
      ...{ 'gen_ai.conversation.id': 's-one-0-0', 'gen_ai.usage.input_tokens': '200' },
      ...{ 'gen_ai.usage.output_tokens': '20', 'gen_ai.usage.cache_read.input_tokens': '100' },
      ...{ 'vivarium.run.id': 'r1', 'vivarium.run.name': 'set', 'vivarium.task': 'one' },
      ...{ 'vivarium.attempt.number': '1', 'vivarium.exit_reason': 'agent' },
      ...{ 'vivarium.state': 'graded', 'vivarium.outcome': 'resolved', 'vivarium.steps': '2' },
    });
    expect(agent?.events).toEqual([
      {
        // Begun, opened, two turns, end, patch, verdict: a second apart.
        timeUnixNano: nanoseconds(BEGUN + 8000),
        name: 'gen_ai.evaluation.result',
        attributes: [
          { key: 'gen_ai.evaluation.name', value: { stringValue: 'resolved' } },
          { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 1 } },
          { key: 'gen_ai.evaluation.score.label', value: { stringValue: 'resolved' } },
        ],
      },
    ]);
    expect(plain(chat?.attributes ?? [])).toMatchObject({
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.response.time_to_first_chunk': 0.1 },
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'tool_calls' }] },
    });
    expect(plain(tool?.attributes ?? [])).toMatchObject({
      ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'Bash' },
      ...{ 'gen_ai.tool.call.id': 'call_1', 'process.exit.code': '0' },
    });
    // 602 ms before the turn was recorded it began; 400 of them were the model's, then the tool's.
    const turnAt = BEGUN + 4000;
    expect(chat?.startTimeUnixNano).toBe(nanoseconds(turnAt - 602));
    expect(chat?.endTimeUnixNano).toBe(nanoseconds(turnAt - 202));
    expect(tool?.startTimeUnixNano).toBe(nanoseconds(turnAt - 202));
    expect(tool?.endTimeUnixNano).toBe(nanoseconds(turnAt - 1.5));
    expect(text).not.toMatch(/secret|private|Fix it|I look|Hm|You fix bugs|1 of 1 fixed/);
    expect(SEMANTIC_CONVENTIONS).toBe('1.41.0');
    expect((requests[0] as Request).resourceSpans[0]?.schemaUrl).toBe(
      'https://opentelemetry.io/schemas/1.41.0',
    );
  });

  it('content only when asked for; each message once', async () => {
    addCell(test, { task: 'one', turns: [bashTurn('ls', 'secret.py'), lastTurn('Over.')] });
    const { requests } = await written(true);
    const [agent, first, tool, second] = spansOf(requests[0]).map((span) => plain(span.attributes));
    expect(JSON.parse(String(first?.[NAMES.inputMessages]))).toEqual([
      { role: 'system', parts: [{ type: 'text', content: 'You fix bugs.' }] },
      { role: 'user', parts: [{ type: 'text', content: 'Fix it.' }] },
    ]);
    expect(JSON.parse(String(first?.[NAMES.outputMessages]))).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Hm.' },
          { type: 'text', content: 'I look.' },
          { type: 'tool_call', id: 'call_1', name: 'Bash', arguments: '{"command":"ls"}' },
        ],
        finish_reason: 'tool_call',
      },
    ]);
    expect(JSON.parse(String(second?.[NAMES.inputMessages]))).toEqual([
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: 'call_1', response: 'secret.py' }],
      },
    ]);
    expect(tool).toMatchObject({
      [NAMES.toolArguments]: '{"command":"ls"}',
      [NAMES.toolResult]: 'secret.py',
    });
    expect(agent?.[NAMES.inputMessages]).toBeUndefined();
    const event = spansOf(requests[0])[0]?.events?.[0];
    expect(plain(event?.attributes ?? [])[NAMES.evaluationExplanation]).toBe('1 of 1 fixed');
  });

  it('infra has no score; a turn in text has its call’s arguments', async () => {
    addCell(test, { task: 'one', grading: INFRA, exitReason: 'workspace_lost' });
    addCell(test, { task: 'one', entry: 1, turns: [textTurn('ls', 'a.py')] });
    const { requests } = await written(true);
    const [infra] = spansOf(requests[0]);
    expect(infra?.status).toEqual({ code: 2 });
    expect(plain(infra?.events?.[0]?.attributes ?? [])).toEqual({
      ...{ 'gen_ai.evaluation.name': 'resolved', 'gen_ai.evaluation.score.label': 'infra' },
      ...{ 'error.type': 'container_unavailable', 'gen_ai.evaluation.explanation': '1 of 1 fixed' },
    });
    const tool = spansOf(requests[1]).find(({ name }) => name === 'execute_tool execute_bash');
    expect(plain(tool?.attributes ?? [])).toMatchObject({
      [NAMES.toolArguments]: '{"cmd":"ls"}',
      [NAMES.toolResult]: 'a.py',
    });
  });
});

describe('OTLP over HTTP', () => {
  it('sends what it would have written, with the headers given', async () => {
    addCell(test, { task: 'one' });
    addCell(test, { task: 'two' });
    server = await receiver();
    const report = await exportRun(test.source(), {
      ...{ format: 'otlp', to: server.to, headers: ['X-MLflow-Experiment-Id: 7', 'a=b: c'] },
    });
    expect(report).toEqual({ folder: null, files: 0, cells: 2, notes: [] });
    expect(server.received.map(({ method, url }) => [method, url])).toEqual([
      ['POST', '/v1/traces'],
      ['POST', '/v1/traces'],
    ]);
    expect(server.received[0]?.headers).toMatchObject({
      ...{ 'content-type': 'application/json', 'x-mlflow-experiment-id': '7', a: 'b: c' },
    });
    expect(server.received.map(({ body }) => body)).toEqual((await written()).requests);
  });

  it('a collector below a path, and its whole address', async () => {
    addCell(test, { task: 'one' });
    server = await receiver();
    await exportRun(test.source(), { format: 'otlp', to: `${server.to}/otel/` });
    await exportRun(test.source(), { format: 'otlp', to: `${server.to}/v1/traces` });
    expect(server.received.map(({ url }) => url)).toEqual(['/otel/v1/traces', '/v1/traces']);
  });

  it('tries again where the protocol says so', async () => {
    addCell(test, { task: 'one' });
    server = await receiver((_, count) =>
      count === 1 ? { status: 503, headers: { 'retry-after': '0.01' } } : {},
    );
    await exportRun(test.source(), { format: 'otlp', to: server.to });
    expect(server.received).toHaveLength(2);
    expect(server.received[1]?.body).toEqual(server.received[0]?.body);
  });

  it.each([
    [{ status: 400, body: 'no\u001b[31m' }, 'endpoint_refused', 'answered 400: no\\x1b[31m'],
    [{ status: 500, body: '' }, 'endpoint_error', 'answered 500;'],
    [{ status: 302, headers: { location: 'http://192.0.2.1/' } }, 'endpoint_refused', '302'],
    [
      { body: { partialSuccess: { rejectedSpans: '2', errorMessage: 'old' } } },
      'endpoint_refused',
      'took only a part: 2 spans were rejected: old',
    ],
  ])('a clear failure: %j', async (answer, code, message) => {
    addCell(test, { task: 'one' });
    addCell(test, { task: 'two' });
    server = await receiver((_, count) => (count === 1 ? {} : answer));
    const sent = exportRun(test.source(), { format: 'otlp', to: server.to });
    await expect(sent).rejects.toMatchObject({
      ...{ code, message: expect.stringContaining(message) },
    });
    await expect(sent).rejects.toThrow('1 of 2 cells were sent');
    expect(server.received).toHaveLength(2);
  });

  it('nobody listens', async () => {
    addCell(test, { task: 'one' });
    server = await receiver();
    await server.close();
    const sent = exportRun(test.source(), { format: 'otlp', to: server.to });
    await expect(sent).rejects.toMatchObject({
      ...{ code: 'endpoint_unreachable', message: expect.stringContaining('ECONNREFUSED') },
    });
  });

  it.each(['ftp://h', 'h:4318', 'http://a:b@h', 'http://h/?key=x', ''])(
    'refuses the address %j',
    async (to) => {
      const sent = exportRun(test.source(), { format: 'otlp', to });
      await expect(sent).rejects.toMatchObject({ code: 'usage' });
    },
  );
});
