import type { AddressInfo } from 'node:net';
import { messageOf } from '../../../../lib/index.ts';
import { connectParent } from '../../../parent.ts';
import { LINES, type ServerMessage, type StartMessage } from '../protocol.ts';
import { createHttpServer } from './http.ts';
import { loadModel } from './load.ts';
import { toStartFailure } from './start-failure.ts';

const EXIT_DELAY_MS = 1_000;

/** Script of the child process: waits for the order to start, loads, serves until it is ended. */
function main(): void {
  const parent = connectParent();
  const send = (message: ServerMessage): void => parent.send(message);
  let started = false;
  // Nothing here has to be saved, and native threads would hold up a regular exit.
  process.once('SIGTERM', () => process.kill(process.pid, 'SIGKILL'));
  parent.onMessage((message) => {
    if (started || !isStart(message)) return;
    started = true;
    void serve(message, send);
  });
}

async function serve(start: StartMessage, send: (message: ServerMessage) => void): Promise<void> {
  try {
    const loaded = await loadModel(start, {
      log: printLine,
      progress: (text) => {
        printLine(LINES.progress(text));
        send({ kind: 'progress', text });
      },
    });
    const { details, backend } = loaded;
    const server = createHttpServer(backend, { key: start.key, name: start.name, meta: details });
    server.listen({ host: '127.0.0.1', port: start.port });
    await new Promise<void>((resolve, reject) => {
      server.once('listening', resolve);
      server.once('error', reject);
    });
    const { port } = server.address() as AddressInfo;
    printLine(LINES.listening(port));
    send({ kind: 'ready', port, contextTokens: backend.contextTokens, details });
  } catch (error) {
    const { code, fault, message, next } = toStartFailure(error, []);
    printLine(`error: ${messageOf(error)}`);
    printLine(LINES.failed(fault, message));
    printLine(LINES.next(next));
    send({ kind: 'failed', code, fault, message, next });
    // After the message, which an exit at once could overtake.
    setTimeout(() => process.exit(1), EXIT_DELAY_MS);
  }
}

/** The parent keeps what this process prints. */
function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

function isStart(message: unknown): message is StartMessage {
  return (message as { kind?: unknown } | null)?.kind === 'start';
}

main();
