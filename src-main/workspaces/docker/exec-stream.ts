import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import type { ExecStream, OutputHandler, StreamName } from '../shell/exec-stream.ts';

const HEADER_BYTES = 8;
const STDERR = 2;

/** Starts a process in a running container; its output arrives demultiplexed. */
export async function startExec(
  container: Docker.Container,
  argv: readonly string[],
  user: string,
): Promise<ExecStream> {
  const exec = await container.exec({
    Cmd: [...argv],
    User: user,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
  });
  const socket = await exec.start({ hijack: true, stdin: true });
  return wrapSocket(socket, exec);
}

function wrapSocket(socket: Duplex, exec: Docker.Exec): ExecStream {
  let stopped = false;
  const ended = new Promise<void>((resolve) => {
    socket.once('end', resolve);
    socket.once('close', resolve);
    // Broken pipes and resets end the stream; why is found out by looking at the container.
    socket.on('error', () => resolve());
  });
  return {
    ended,
    onOutput: (handler) => {
      const demultiplex = demultiplexer(handler);
      const brake = floodBrake(socket, () => stopped);
      socket.on('data', (chunk: Buffer) => {
        demultiplex(chunk);
        brake(chunk.length);
      });
    },
    write: (bytes) => {
      if (socket.writable) socket.write(bytes);
    },
    running: async () => (await exec.inspect()).Running,
    exitCode: async () => (await exec.inspect()).ExitCode,
    pause: () => {
      stopped = true;
      socket.pause();
    },
    destroy: () => {
      socket.destroy();
    },
  };
}

/** Bytes taken at full speed, and the speed beyond them: far above what a build or test run prints. */
const BURST_BYTES = 32 * 1024 * 1024;
const BYTES_PER_MS = 64 * 1024;
const BRAKE_MS = 5;

/**
 * Holds back a flood (`yes`), so that it costs neither our memory nor the processor time that the
 * model needs: the engine stops reading, and the command waits at its pipe.
 */
function floodBrake(socket: Duplex, isStopped: () => boolean): (bytes: number) => void {
  let credit = BURST_BYTES;
  let last = performance.now();
  return (bytes) => {
    const now = performance.now();
    credit = Math.min(BURST_BYTES, credit + (now - last) * BYTES_PER_MS) - bytes;
    last = now;
    if (credit > 0) return;
    socket.pause();
    setTimeout(() => {
      if (!isStopped()) socket.resume();
    }, BRAKE_MS);
  };
}

/**
 * Splits the engine's framing: 8 bytes of header (stream number, three zeros, big-endian length),
 * then that many bytes. Chunks are handed on as they come, without waiting for a whole frame.
 */
export function demultiplexer(handler: OutputHandler): (chunk: Buffer) => void {
  let header: Buffer = Buffer.alloc(0);
  let left = 0;
  let name: StreamName = 'stdout';
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (left === 0) {
        const part = chunk.subarray(at, at + HEADER_BYTES - header.length);
        at += part.length;
        header = header.length === 0 ? part : Buffer.concat([header, part]);
        if (header.length < HEADER_BYTES) return;
        name = header[0] === STDERR ? 'stderr' : 'stdout';
        left = header.readUInt32BE(4);
        header = Buffer.alloc(0);
        continue;
      }
      const data = chunk.subarray(at, at + left);
      at += data.length;
      left -= data.length;
      handler(name, data);
    }
  };
}
