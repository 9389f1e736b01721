import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import type { Failure, LaunchCommand, ServerPlan } from '../servers/types.ts';
import { startGuards } from './guards.ts';
import type { RunningServer, ServerContext } from './launch-context.ts';
import { countMemoryKills, executableOf, readProcess } from './process-table.ts';
import { startServerProcess } from './server-process.ts';
import { endServer } from './sweep.ts';
import type { ServerProof } from './files.ts';
import { bootId } from './boot-id.ts';

/** One process of a server, with all that has to go when it goes. */
export interface Launched extends RunningServer {
  /** Settles a moment after its log said that it cannot go on, though it has not ended yet. */
  readonly broken: Promise<null>;
  /** The server's own word that it failed, where it sends messages. */
  told(): Failure | null;
  /** The name of its program may change until it is ready: a script starts an interpreter. */
  proveAgain(): void;
  /** Ends all its processes; resolves with those that survive. */
  end(): Promise<number[]>;
}

/** Two of them: see `GuardOptions.count`. */
const GUARDS = 2;

/**
 * Starts the server once, on the given port, and returns as soon as it has a process.
 *
 * @throws VivariumError `engine_missing`, `engine_failed` when it cannot be started at all
 */
export async function launch(
  context: ServerContext,
  plan: ServerPlan,
  port: number,
): Promise<Launched> {
  const command = toCommand(context, plan, port);
  for (const word of command.secrets)
    if (!context.secrets.includes(word)) context.secrets.push(word);
  const guards = startGuards(guardOptions(context, command));
  const hear = createListener(context, port);
  const memoryKills = countMemoryKills();
  try {
    const process = await startServerProcess(command, {
      nonce: context.nonce,
      startChild: context.startChild,
      onMessage: hear.message,
      onLine: hear.line,
      onRewrite: hear.rewrite,
    });
    guards.watch(process.pid);
    context.finder.lead(process.pid);
    const proof = prove(context, command, process.pid);
    context.board.update({ pid: process.pid });
    context.board.prove(proof);
    return {
      process,
      memoryKills,
      get access() {
        const found = hear.port();
        if (found === 0) return null;
        const { key, nonce, servedName } = context;
        return { root: `http://127.0.0.1:${found}`, key, nonce, servedName };
      },
      broken: hear.broken,
      output: hear.output,
      told: hear.told,
      proveAgain: () => {
        const executable = executableOf(process.pid);
        if (executable !== proof.executable) context.board.prove({ ...proof, executable });
      },
      end: async () => {
        const left = await endServer(process, context.finder, context.limits);
        await removeContainer(command);
        // Only now: until here the guards would do it if this process was killed.
        guards.close();
        context.board.prove(null);
        return left;
      },
    };
  } catch (error) {
    guards.close();
    throw error;
  }
}

function toCommand(context: ServerContext, plan: ServerPlan, port: number): LaunchCommand {
  const { request, installation, files, key, servedName } = context;
  return request.engine.command({
    installation,
    profile: request.profile,
    model: request.model,
    plan,
    machine: request.machine,
    port,
    key,
    servedName,
    cacheFolder: files.cache,
    env: context.options.env,
  });
}

/** What the shell of a guard and the program that removes a container need, and no more. */
const GUARD_ENVIRONMENT = ['PATH', 'HOME', 'XDG_RUNTIME_DIR', 'DOCKER_HOST', 'DOCKER_CONTEXT'];

function guardOptions(
  context: ServerContext,
  command: LaunchCommand,
): Parameters<typeof startGuards>[0] {
  const container = containerOf(command);
  const kept = GUARD_ENVIRONMENT.flatMap((name) => {
    const value = command.env[name] ?? context.options.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    nonce: context.nonce,
    env: Object.fromEntries(kept),
    ...(container === null ? {} : { container }),
    count: GUARDS,
  };
}

function containerOf(command: LaunchCommand): { name: string; remover: string } | null {
  if (command.kind !== 'program' || command.container === undefined) return null;
  const { name, remover = command.argv[0] ?? 'docker' } = command.container;
  return { name, remover };
}

const REMOVE_TIMEOUT_MS = 10_000;

/** The program that was ended was only the client: the container is the engine's child. */
function removeContainer(command: LaunchCommand): Promise<void> {
  const container = containerOf(command);
  if (container === null || command.kind !== 'program') return Promise.resolve();
  return new Promise((resolve) => {
    execFile(
      container.remover,
      ['rm', '-f', container.name],
      { env: command.env, cwd: command.cwd, timeout: REMOVE_TIMEOUT_MS },
      () => resolve(),
    );
  });
}

function prove(context: ServerContext, command: LaunchCommand, pid: number): ServerProof {
  const argv = command.kind === 'program' ? command.argv : [command.entry];
  return {
    pid,
    group: pid,
    startTicks: readProcess(pid)?.startTicks ?? '0',
    bootId: bootId(),
    executable: null,
    argvSha256: createHash('sha256').update(argv.join('\0')).digest('hex'),
    nonce: context.nonce,
    container: containerOf(command),
  };
}

interface Listener {
  line(text: string): void;
  rewrite(text: string): void;
  message(message: unknown): void;
  /** 0 until it is known. */
  port(): number;
  readonly broken: Promise<null>;
  output(): number;
  told(): Failure | null;
}

const BROKEN_MS = 300;

/** Hears what the server prints and, if it is a child of ours, what it tells. */
function createListener(context: ServerContext, wantedPort: number): Listener {
  const { board, log, request } = context;
  let port = wantedPort;
  let output = 0;
  let told: Failure | null = null;
  const broken = Promise.withResolvers<null>();
  const progress = (text: string): void => {
    if (board.status().state === 'loading') board.update({ progress: text });
  };
  const read = (line: string): void => {
    const reading = request.engine.readLine(line);
    if (reading.progress !== undefined) progress(reading.progress);
    if (reading.port !== undefined) port = reading.port;
    // The lines that follow say why.
    if (reading.broken === true) setTimeout(broken.resolve, BROKEN_MS, null).unref();
  };
  return {
    line: (text) => {
      output += 1;
      const line = log.add(text);
      request.onLog?.(line);
      read(line);
    },
    rewrite: (text) => {
      output += 1;
      read(text);
    },
    message: (message) => {
      output += 1;
      const heard = message as { kind?: unknown; port?: unknown; text?: unknown };
      if (heard.kind === 'ready' && typeof heard.port === 'number') port = heard.port;
      if (heard.kind === 'progress' && typeof heard.text === 'string') progress(heard.text);
      if (heard.kind === 'failed') told = toldFailure(message);
    },
    port: () => port,
    broken: broken.promise,
    output: () => output,
    told: () => told,
  };
}

function toldFailure(message: unknown): Failure {
  const told = message as { code?: unknown; message?: unknown; next?: unknown };
  return {
    kind: String(told.code),
    line: '',
    cause: String(told.message),
    remedy: String(told.next),
    deterministic: true,
    retryWith: null,
  };
}
