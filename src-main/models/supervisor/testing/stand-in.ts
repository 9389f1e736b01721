/**
 * A model server that does on demand what real ones do only sometimes: loads slowly, stalls, hangs,
 * fails, starts children that do not want to end. Its behaviour comes as JSON in the first argument.
 */
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface StandInBehaviour {
  port: number;
  /** Lines printed before it listens, one each `stepMs`. */
  lines?: string[];
  stepMs?: number;
  /** Exit code after the lines. */
  exit?: number;
  /** Dies by this signal after the lines. */
  die?: NodeJS.Signals;
  /** After the lines nothing more comes. */
  stall?: boolean;
  /** Number of children that stay in the group, and of those that leave the session. */
  children?: number;
  escaped?: number;
  /** It and its children ignore TERM. */
  stubborn?: boolean;
}

interface State {
  hang: boolean;
  /** Refuses everything. */
  deaf: boolean;
  running: number;
  generated: number;
}

const behaviour = JSON.parse(process.argv[2] ?? '{}') as StandInBehaviour;
const key = process.env['STAND_IN_KEY'] ?? '';
const servedName = process.env['STAND_IN_NAME'] ?? '';
const state: State = { hang: false, deaf: false, running: 0, generated: 0 };

if (behaviour.stubborn === true) process.on('SIGTERM', () => {});
startChildren(behaviour.children ?? 0, false);
startChildren(behaviour.escaped ?? 0, true);
await load();

/** A child with a child of its own. */
function startChildren(count: number, detached: boolean): void {
  const deaf = behaviour.stubborn === true ? "trap '' TERM;" : '';
  for (let index = 0; index < count; index += 1) {
    const script = `${deaf} sh -c "${deaf} while :; do sleep 1; done" & while :; do sleep 1; done`;
    spawn('sh', ['-c', script], { detached, stdio: 'ignore' });
  }
}

async function load(): Promise<void> {
  for (const line of behaviour.lines ?? []) {
    process.stderr.write(`${line}\n`);
    await new Promise((resolve) => setTimeout(resolve, behaviour.stepMs ?? 0));
  }
  if (behaviour.exit !== undefined) process.exit(behaviour.exit);
  if (behaviour.die !== undefined) process.kill(process.pid, behaviour.die);
  if (behaviour.stall === true) {
    setInterval(() => {}, 60_000);
    return;
  }
  const server = createServer(answer);
  server.on('error', (error) => {
    process.stderr.write(`ERROR: ${error.message}\n`);
    process.exit(98);
  });
  server.listen(behaviour.port, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    process.stderr.write(`listening on ${port}\n`);
  });
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  const json = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (state.deaf) return json(503, {});
  if (path === '/health') return json(200, {});
  if (path === '/metrics') return json(200, state);
  if (path === '/environment') return json(200, { env: process.env, argv: process.argv });
  if (path.startsWith('/set?')) {
    change(new URLSearchParams(path.slice(5)));
    return json(200, state);
  }
  if (request.headers.authorization !== `Bearer ${key}`) return json(401, { error: 'key' });
  if (path === '/v1/models') return json(200, { data: [{ id: servedName, max_model_len: 4_096 }] });
  if (path === '/v1/chat/completions' && !state.hang) complete(response);
}

function change(wanted: URLSearchParams): void {
  if (wanted.has('hang')) state.hang = true;
  if (wanted.has('deaf')) state.deaf = true;
  if (wanted.has('running')) state.running = Number(wanted.get('running'));
  if (wanted.has('generated')) state.generated += Number(wanted.get('generated'));
  if (wanted.has('say')) process.stderr.write(`${wanted.get('say') ?? ''}\n`);
  if (wanted.has('exit')) setTimeout(() => process.exit(Number(wanted.get('exit'))), 20);
  if (wanted.has('spin')) setInterval(spin, 100);
}

/** Half of a core, as a long prefill would take. */
function spin(): void {
  const end = performance.now() + 50;
  while (performance.now() < end);
}

function complete(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (delta: object, finish: string | null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    response.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices })}\n\n`,
    );
  };
  chunk({ role: 'assistant', content: 'ok' }, null);
  chunk({}, 'length');
  response.end('data: [DONE]\n\n');
  state.generated += 1;
}
