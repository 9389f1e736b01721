/**
 * Runs a command (`docker run ...`) and passes connections to a port of 127.0.0.1 on to the socket
 * file that the server in the container opens. Ends with the command, with its exit code.
 *
 *   node relay.ts PORT COMMAND ARG...
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SOCKET_FOLDER_MARK } from './places.ts';

const [port = '', file = '', ...args] = process.argv.slice(2);
// A short path: a socket's may have 107 bytes. Nobody else can look into it (0700).
const folder = mkdtempSync(join(tmpdir(), 'vivarium-'));
const socketFile = join(folder, 'server.sock');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const server = createServer({ allowHalfOpen: true }, relay);
server.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
// The port is taken before anything is loaded, so that a clash shows at once.
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  const bound = typeof address === 'object' ? (address?.port ?? port) : port;
  // For engines that leave the port to the system: the server itself knows only its socket.
  process.stdout.write(`listening on http://127.0.0.1:${String(bound)}\n`);
  run();
});

function relay(client: Socket): void {
  // Until the server is there, the connection closes: whoever asks sees that it loads.
  const upstream = connect({ path: socketFile, allowHalfOpen: true });
  const close = (): void => {
    client.destroy();
    upstream.destroy();
  };
  client.on('error', close);
  upstream.on('error', close);
  client.on('close', close);
  upstream.on('close', () => client.destroySoon());
  client.setNoDelay(true);
  client.pipe(upstream);
  upstream.pipe(client);
}

function run(): void {
  const words = args.map((word) => word.replaceAll(SOCKET_FOLDER_MARK, folder));
  const child = spawn(file, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 143)));
}
