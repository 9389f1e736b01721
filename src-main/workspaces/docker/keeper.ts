import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { demultiplexer } from './exec-stream.ts';

const MAX_SAID_BYTES = 4_096;

/** Our hold on a container: its main process lives as long as this connection. */
export interface Keeper {
  /** Resolves when the container has ended, or the engine. */
  ended: Promise<void>;
  /** What the main process printed, on one line: only ever the reason why it could not start. */
  said(): string;
  /** Lets go: the main process reads the end of its input and exits. */
  release(): void;
}

/** Attaches to a container that was created and not yet started. */
export async function attachKeeper(container: Docker.Container): Promise<Keeper> {
  const attached = await container.attach({
    stream: true,
    stdin: true,
    stdout: true,
    stderr: true,
    hijack: true,
  });
  // The client's types are wider than what a hijacked connection is: the socket itself.
  const socket = attached as Duplex;
  let text = '';
  const take = demultiplexer((_, chunk) => {
    if (text.length < MAX_SAID_BYTES) text += chunk.toString('latin1');
  });
  const ended = new Promise<void>((resolve) => {
    socket.once('end', resolve);
    socket.once('close', resolve);
    socket.on('error', () => resolve());
  });
  socket.on('data', take);
  return {
    ended,
    said: () => text.replace(/[^\x20-\x7e]+/g, ' ').trim(),
    release: () => {
      socket.destroy();
    },
  };
}
