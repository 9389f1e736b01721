import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../lib/index.ts';
import type { RunRequest, RunResult } from '../types.ts';
import { BoundedOutput } from './bounded-output.ts';
import { ChannelEnded, type Channel } from './channel.ts';
import { pathError } from './quote.ts';
import { decodeStatus, encodeRun, type RunStatus } from './run-request.ts';
import type { RunState } from './run-state.ts';
import { killEverything, sweep } from './sweep.ts';

const DEFAULT_KEEP = { head: 512 * 1024, tail: 512 * 1024 };
const SWEEP_MS = 600;
const FILE_WORK_GRACE_MS = 250;
/** How long the shell may take to answer once everything it started is dead. */
const ANSWER_GRACE_MS = 1_000;
/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Exit codes from here on tell of a death by a signal. */
const FIRST_SIGNAL_CODE = 128;
/** Killed processes count against the limit until the container's init has collected them. */
const START_PAUSES_MS = [0, 50, 200, 500];
const MAX_EARLIER_RUNS = 64;

type Stop = 'timeout' | 'cancel';

/** See `Workspace.run`; `cwd` is absolute. */
export async function runCommand(
  state: RunState,
  request: RunRequest,
  cwd: string,
): Promise<RunResult> {
  const run = (channel: Channel) => new CommandRun(state, request, channel).execute(cwd);
  for (const pauseMs of START_PAUSES_MS) {
    await delay(pauseMs);
    const result = await state.commands.use(run);
    if (result !== 'not started') return result;
  }
  return state.endSandbox();
}

class CommandRun {
  private readonly id = newId(16);
  private readonly notes: string[] = [];
  private readonly stdout: BoundedOutput;
  private readonly stderr: BoundedOutput;
  private readonly begun = performance.now();
  private durationMs = 0;
  private stopped: Stop | undefined;
  private stopping: Promise<boolean> | undefined;
  private answered = false;
  private readonly state: RunState;
  private readonly request: RunRequest;
  private readonly channel: Channel;

  constructor(state: RunState, request: RunRequest, channel: Channel) {
    this.state = state;
    this.request = request;
    this.channel = channel;
    this.stdout = new BoundedOutput(request.keepBytes ?? DEFAULT_KEEP);
    this.stderr = new BoundedOutput(request.keepBytes ?? DEFAULT_KEEP);
  }

  async execute(cwd: string): Promise<RunResult | 'not started'> {
    if (this.request.signal?.aborted) {
      this.stopped = 'cancel';
      return this.result(null, null);
    }
    const timer = setTimeout(
      () => this.stop('timeout'),
      Math.min(this.request.timeoutMs, MAX_TIMER_MS),
    );
    const onAbort = () => this.stop('cancel');
    this.request.signal?.addEventListener('abort', onAbort, { once: true });
    const status = await this.converse(cwd).finally(() => {
      this.answered = true;
      clearTimeout(timer);
      this.request.signal?.removeEventListener('abort', onAbort);
    });
    this.durationMs = performance.now() - this.begun;
    const swept = await this.stopping;
    if (status === null && !this.stopped && (await this.couldNotStart())) {
      await this.killAll('no process could be started');
      this.state.commands.rescues.push(...this.notes);
      return 'not started';
    }
    await this.tidy(status, swept);
    const oomKills = status ? status.oomKills : await this.readOomKills();
    this.notes.push(...this.takeRescues());
    return this.result(status, oomKills);
  }

  /**
   * A shell that cannot fork exits by itself, and that is the only thing of a run that makes it:
   * then the command has not begun, and can be run again once there is room for processes.
   */
  private async couldNotStart(): Promise<boolean> {
    const code = await this.channel.exitCode();
    return code !== null && code > 0 && code < FIRST_SIGNAL_CODE;
  }

  private takeRescues(): string[] {
    const { commands, files } = this.state;
    return [...commands.rescues.splice(0), ...files.rescues.splice(0)];
  }

  /** For when the channel died before it could tell, maybe of that very thing. */
  private readOomKills(): Promise<number | null> {
    const code = 'vv_oom; vv_r=$vv_m';
    const asking = this.state.files.use((channel) => channel.request({ code, silenceMs: 2_000 }));
    return asking.then(
      (count) => (/^\d+$/.test(count) ? Number(count) : null),
      () => null,
    );
  }

  /** `null` when the shell channel died under the command. */
  private async converse(cwd: string): Promise<RunStatus | null> {
    const bash = this.request.shell === 'sh' ? null : this.channel.bash;
    if (this.request.shell === 'bash' && bash === null) {
      this.notes.push('the image has no bash; sh ran the command');
    }
    const encoded = encodeRun(this.request, this.id, cwd, bash, this.state.ownPids());
    try {
      const status = await this.channel.request({
        ...encoded,
        onStdout: (chunk) => this.stdout.push(chunk),
        onStderr: (chunk) => this.stderr.push(chunk),
      });
      if (status === 'cwd') throw pathError(`The working folder ${cwd} cannot be entered.`);
      const decoded = decodeStatus(status) ?? null;
      if (decoded) this.channel.known = decoded.known;
      return decoded;
    } catch (error) {
      if (!(error instanceof ChannelEnded)) throw error;
      await this.state.assertAlive();
      return null;
    }
  }

  private stop(why: Stop): void {
    if (this.stopped) return;
    this.stopped = why;
    this.stopping = this.end();
  }

  /** Whether nothing of the run is left; gives the channel up when its shell does not answer. */
  private async end(): Promise<boolean> {
    const release = await this.holdFiles();
    try {
      const clean = await this.sweep();
      if (!clean) await this.killAll('a process of the command could not be ended alone');
      setTimeout(() => this.giveUp(), ANSWER_GRACE_MS).unref();
      return clean;
    } catch {
      // The engine did not take the order, mostly because the sandbox is gone; said after the run.
      this.giveUp();
      return false;
    } finally {
      release();
    }
  }

  private sweep(): Promise<boolean> {
    const { port, files, earlierRuns, ownPids } = this.state;
    return sweep(port, {
      known: () => [...this.channel.known, ...ownPids()],
      parents: () => files.pids(),
      earlierRuns,
      deadlineMs: SWEEP_MS,
    });
  }

  private giveUp(): void {
    if (!this.answered) this.channel.destroy();
  }

  /** Keeps file work away while its helper processes could be taken for the command's. */
  private async holdFiles(): Promise<() => void> {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const idle = new Promise<void>((resolve) => {
      void this.state.files.hold(() => {
        resolve();
        return held;
      });
    });
    await Promise.race([idle, delay(FILE_WORK_GRACE_MS)]);
    return release;
  }

  /** Leaves the lane with a channel that no process of this run can write to. */
  private async tidy(status: RunStatus | null, swept: boolean | undefined): Promise<void> {
    if (status === null && !this.stopped) {
      this.notes.push('the command ended the shell channel; it was opened again');
      this.state.commands.drop(this.channel);
      const clean = await this.sweep().catch(() => false);
      if (!clean) await this.killAll('processes of the command could not be ended alone');
      return;
    }
    if (this.stopped && swept) return;
    if (this.stopped) await this.state.assertAlive();
    const left = status?.left ?? [];
    if (left.length === 0) return;
    if (left.length >= this.state.pidsLimit * 0.8) {
      await this.killAll(`the command left ${left.length} processes, at the process limit`);
      return;
    }
    this.state.earlierRuns.push(this.id);
    if (this.state.earlierRuns.length > MAX_EARLIER_RUNS) this.state.earlierRuns.shift();
    this.state.commands.park(this.channel, left);
  }

  private async killAll(why: string): Promise<void> {
    this.notes.push(`${why}; every process of the workspace was ended`);
    await killEverything(this.state.port).catch(() => this.state.endSandbox());
    this.state.earlierRuns.length = 0;
    this.state.commands.drop(this.channel);
  }

  private result(status: RunStatus | null, kills: number | null): RunResult {
    const oomKills = kills ?? this.state.oomKills;
    const outOfMemory = oomKills > this.state.oomKills;
    this.state.oomKills = oomKills;
    const killed = this.stopped !== undefined || status === null;
    return {
      exitCode: killed ? null : status.exitCode,
      signal: killed ? 'KILL' : status.signal,
      timedOut: this.stopped === 'timeout',
      cancelled: this.stopped === 'cancel',
      outOfMemory,
      durationMs: this.durationMs,
      stdout: this.stdout.result(),
      stderr: this.stderr.result(),
      notes: this.notes,
    };
  }
}
