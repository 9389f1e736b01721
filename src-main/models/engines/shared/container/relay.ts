/**
 * Runs a command (`docker run ...`) and passes connections to a port of 127.0.0.1 on to the socket
 * file that the server in the container opens. Ends with the command, with its exit code.
 *
 *   node relay.ts PORT FOLDER COMMAND ARG...
 *
 * The socket lies in FOLDER, or in a temporary one where that path would be too long for a socket.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SOCKET_FOLDER_MARK } from './places.ts';

const [port = '', wanted = '', file = '', ...args] = process.argv.slice(2);
/** The kernel takes 107 bytes on Linux, 103 on macOS. */
const MOST_PATH_BYTES = 103;

const folder = openFolder();
const socketFile = socketIn(folder);

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

function socketIn(parent: string): string {
  return join(parent, 'server.sock');
}

/** Nobody else can look into it (0700). What a killed relay left in there would block the server. */
function openFolder(): string {
  if (Buffer.byteLength(socketIn(wanted)) > MOST_PATH_BYTES) {
    const temporary = mkdtempSync(join(tmpdir(), 'vivarium-'));
    process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
    return temporary;
  }
  mkdirSync(wanted, { recursive: true, mode: 0o700 });
  rmSync(socketIn(wanted), { force: true });
  process.on('exit', () => rmSync(socketIn(wanted), { force: true }));
  return wanted;
}

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
