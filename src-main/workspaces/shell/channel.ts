import { randomBytes } from 'node:crypto';
import { AGENT_SHELL, NEEDED_APPLETS } from './agent-shell.ts';
import type { ExecStream, SandboxPort, StreamName } from './exec-stream.ts';
import { MarkerScanner } from './marker-scanner.ts';

/** The channel's shell went away before it answered. */
export class ChannelEnded extends Error {
  override readonly name = 'ChannelEnded';
}

/** The shell or a program it cannot do without is missing from the image. */
export class ShellUnusable extends Error {
  override readonly name = 'ShellUnusable';
}

export interface ChannelRequest {
  /** Shell code made by us; every foreign text in it is a quoted word. */
  code: string;
  /** Raw bytes the code takes from its standard input. */
  payload?: Uint8Array;
  onStdout?: (chunk: Buffer) => void;
  onStderr?: (chunk: Buffer) => void;
  /** Gives the channel up when nothing at all comes for so long. Unset: waits for ever. */
  silenceMs?: number;
}

interface Pending {
  silence: NodeJS.Timeout | undefined;
  stdout: MarkerScanner;
  stderr: MarkerScanner;
  resolve: (status: string) => void;
  reject: (error: Error) => void;
}

const HELLO_TIMEOUT_MS = 10_000;
/** After so much output that nobody reads, its writer is left to block. */
const MAX_STALE_BYTES = 256 * 1024 * 1024;
const RUNNING_POLL_MS = 1_000;

/** One long-lived shell inside the workspace that answers requests one after the other. */
export class Channel {
  /** Process id of the shell, as the workspace sees it. */
  pid = 0;
  /** Every process that was alive when the shell started, itself included. */
  known: number[] = [];
  /** Full name of bash, `null` when the image has none. */
  bash: string | null = null;
  hasGnuFind = false;
  private pending: Pending | undefined;
  private ended = false;
  private staleBytes = 0;
  private readonly stream: ExecStream;

  private constructor(stream: ExecStream) {
    this.stream = stream;
    stream.onOutput((name, chunk) => this.take(name, chunk));
    void stream.ended.then(() => this.end());
  }

  /** @throws ShellUnusable when the image has no shell or lacks a needed program. */
  static async open(port: SandboxPort): Promise<Channel> {
    const channel = new Channel(await port.exec(['sh', '-c', AGENT_SHELL]));
    try {
      await channel.hello();
      return channel;
    } catch (error) {
      channel.destroy();
      if (!(error instanceof ChannelEnded)) throw error;
      const code = await channel.exitCode();
      if (code === 126 || code === 127) throw new ShellUnusable('it has no working `sh`');
      throw error;
    }
  }

  private async hello(): Promise<void> {
    const code = `vv_hello ${NEEDED_APPLETS.join(' ')}`;
    const status = await this.request({ code, silenceMs: HELLO_TIMEOUT_MS });
    const [pid, bash, gnu, missing = '-', ...known] = status.split(' ');
    if (missing !== '-') {
      throw new ShellUnusable(`it lacks ${missing.slice(2).replaceAll(',', ', ')}`);
    }
    this.pid = Number(pid);
    this.bash = bash === undefined || bash === '-' ? null : bash;
    this.hasGnuFind = gnu === 'gnu';
    this.known = known.map(Number);
  }

  /** Of the shell, once it has ended; `null` when unknown. */
  exitCode(): Promise<number | null> {
    return this.stream.exitCode().catch(() => null);
  }

  get isOpen(): boolean {
    return !this.ended;
  }

  /**
   * Resolves to the status the code left, once both streams were read up to their end markers.
   * @throws ChannelEnded when the shell is gone; what it wrote was handed over.
   */
  request(request: ChannelRequest): Promise<string> {
    if (this.ended) return Promise.reject(new ChannelEnded('The shell channel has ended.'));
    if (this.pending) return Promise.reject(new Error('The shell channel is busy.'));
    // 128 random bits that only ever travel on the shell's standard input.
    const nonce = randomBytes(16).toString('hex');
    const marker = Buffer.from(nonce, 'latin1');
    const lines = request.code.split('\n').length;
    const answer = new Promise<string>((resolve, reject) => {
      this.pending = {
        silence: this.watchSilence(request.silenceMs),
        stdout: new MarkerScanner(marker, request.onStdout ?? ignore),
        stderr: new MarkerScanner(marker, request.onStderr ?? ignore),
        resolve,
        reject,
      };
    });
    this.stream.write(Buffer.from(`${lines} ${nonce}\n${request.code}\n`));
    if (request.payload && request.payload.length > 0) this.stream.write(request.payload);
    const poll = setInterval(() => void this.checkRunning(), RUNNING_POLL_MS);
    return answer.finally(() => clearInterval(poll));
  }

  /** A shell can be stopped without being killed; then nothing else tells. */
  private watchSilence(silenceMs: number | undefined): NodeJS.Timeout | undefined {
    return silenceMs === undefined ? undefined : setTimeout(() => this.destroy(), silenceMs);
  }

  /** Children of a killed shell can hold its streams open: the stream alone does not tell. */
  private async checkRunning(): Promise<void> {
    const running = await this.stream.running().catch(() => true);
    if (!running) this.destroy();
  }

  private take(name: StreamName, chunk: Buffer): void {
    const pending = this.pending;
    if (!pending) return this.ignoreStale(chunk.length);
    pending.silence?.refresh();
    pending[name].push(chunk);
    if (pending.stdout.status === undefined || pending.stderr.status === undefined) return;
    this.pending = undefined;
    clearTimeout(pending.silence);
    pending.resolve(pending.stdout.status);
  }

  /** Output of processes that were left running: read into nothing, but not without an end. */
  private ignoreStale(bytes: number): void {
    this.staleBytes += bytes;
    if (this.staleBytes > MAX_STALE_BYTES) this.stream.pause();
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    const pending = this.pending;
    this.pending = undefined;
    clearTimeout(pending?.silence);
    pending?.stdout.flush();
    pending?.stderr.flush();
    pending?.reject(new ChannelEnded('The shell channel has ended.'));
  }

  /** Lets go of the shell; processes it started live on. */
  destroy(): void {
    this.end();
    this.stream.destroy();
  }
}

function ignore(): void {}
