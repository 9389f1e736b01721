import { setTimeout as delay } from 'node:timers/promises';
import { Channel, ChannelEnded } from './channel.ts';
import type { SandboxPort } from './exec-stream.ts';
import { endShell, killEverything } from './sweep.ts';

/** Shells kept for the output of processes that were left running; the oldest goes first. */
const MAX_PARKED = 32;
/** Killed processes count against the limit until the container's init has collected them. */
const REOPEN_PAUSES_MS = [20, 100, 400];

/**
 * A queue in front of one channel: uses come one after the other, and a channel that ended or was
 * given up is replaced by the next use.
 */
export class Lane {
  private current: Promise<Channel> | undefined;
  private parked: { channel: Channel; writers: readonly number[] }[] = [];
  private queue: Promise<unknown> = Promise.resolve();
  private closed = false;
  /** What had to be done to get a shell; the next run tells it. */
  readonly rescues: string[] = [];
  private readonly port: SandboxPort;
  private open: Channel | undefined;

  constructor(port: SandboxPort) {
    this.port = port;
  }

  /** Runs `work` alone on an open channel. */
  use<T>(work: (channel: Channel) => Promise<T>): Promise<T> {
    const result = this.queue.then(async () => work(await this.channel()));
    this.queue = result.catch(() => undefined);
    return result;
  }

  /** Takes a turn without a channel: nothing else runs until `work` is done. */
  hold(work: () => Promise<void>): Promise<void> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }

  private async channel(): Promise<Channel> {
    const open = await this.current?.catch(() => undefined);
    if (open?.isOpen) return open;
    const first = await this.tryRenew();
    if (first) return first;
    // At the process limit a shell starts, but dies at its first fork.
    await killEverything(this.port);
    this.rescues.push('no shell could be opened; every process of the workspace was ended');
    for (const pauseMs of REOPEN_PAUSES_MS) {
      await delay(pauseMs);
      const channel = await this.tryRenew();
      if (channel) return channel;
    }
    return this.renew();
  }

  /** `undefined` when the new shell ended before it had answered. */
  private async tryRenew(): Promise<Channel | undefined> {
    try {
      return await this.renew();
    } catch (error) {
      if (!(error instanceof ChannelEnded) || this.closed) throw error;
      return undefined;
    }
  }

  /** Starts a new channel now, so that the next use need not wait for it. */
  renew(): Promise<Channel> {
    if (this.closed) return Promise.reject(new ChannelEnded('The workspace is closed.'));
    if (this.open && !this.open.isOpen) void endShell(this.port, this.open.pid);
    const opening = Channel.open(this.port).then((channel) => {
      if (this.closed) channel.destroy();
      this.open = channel;
      this.releaseParked(new Set(channel.known));
      return channel;
    });
    opening.catch(() => undefined);
    this.current = opening;
    return opening;
  }

  /**
   * Replaces a channel whose streams are still held by processes that live on. The old one is kept
   * and read into nothing, so that those processes never block or fail on their output.
   */
  park(channel: Channel, writers: readonly number[]): void {
    this.parked.push({ channel, writers });
    if (this.parked.length > MAX_PARKED) this.parked.shift()?.channel.destroy();
    this.renew().catch(() => undefined);
  }

  /** Lets go of parked channels whose writers have all ended. */
  private releaseParked(alive: ReadonlySet<number>): void {
    const isNeeded = (writers: readonly number[]) => writers.some((pid) => alive.has(pid));
    for (const { channel, writers } of this.parked) if (!isNeeded(writers)) channel.destroy();
    this.parked = this.parked.filter(({ writers }) => isNeeded(writers));
  }

  /** Forgets a channel that can no longer be trusted. */
  drop(channel: Channel): void {
    channel.destroy();
    if (this.open === channel) this.current = undefined;
  }

  /** Forgets all channels, when every process they could lead to was ended. */
  reset(): void {
    for (const { channel } of this.parked) channel.destroy();
    this.parked = [];
    this.open?.destroy();
    this.current = undefined;
  }

  /** Process ids of our shells that are in use. */
  pids(): number[] {
    const parked = this.parked.map(({ channel }) => channel);
    return [...parked, ...(this.open ? [this.open] : [])]
      .filter((channel) => channel.isOpen)
      .map((channel) => channel.pid);
  }

  close(): void {
    this.closed = true;
    for (const { channel } of this.parked) channel.destroy();
    void this.current?.then(
      (channel) => channel.destroy(),
      () => undefined,
    );
  }
}
