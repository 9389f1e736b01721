import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { VivariumError, newId } from '../../../lib/index.ts';
import { type ChildExit, forkChild, type OwnedChild, type StartChild } from '../../child.ts';
import { createChatModel } from '../../client.ts';
import type { ChatModel, CompletionRequest, ModelHandle } from '../../types.ts';
import { childEnvironment } from './child-env.ts';
import { type EngineLog, openEngineLog } from './engine-log.ts';
import { digestFiles } from '../../library/file-digest.ts';
import { findModelFiles } from '../../library/gguf/find-parts.ts';
import type { ServerMessage, StartMessage } from './protocol.ts';
import { SERVER_ENTRY } from './server-engine.ts';
import { threadsAsked } from './threads.ts';

export { createLlamaCppEngine } from './server-engine.ts';

export interface OpenLlamaCppOptions {
  /** VIVARIUM_HOME: logs and the cache of checksums live there. */
  home: string;
  /** Environment to pick the child's from, by allow-list; `VIVARIUM_THREADS` sets the threads. */
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  /** Each line the engine prints. */
  onLog?: (line: string) => void;
  /** Window wanted at most; default: what the model was trained with, as memory allows. */
  contextTokens?: number;
  /** Threads; default: by size of the model and cores, see `chooseThreads`. */
  threads?: number;
  /** Conversations kept in memory at a time, for parallel attempts; default 1. */
  parallel?: number;
  /** `false` keeps the model off the graphics device; default `auto`. */
  gpu?: 'auto' | false;
  /** Jinja text that replaces the chat template of the file. */
  chatTemplate?: string;
  /** How to start the child; the door may give its own. */
  startChild?: StartChild;
}

/** After this the engine is killed. */
const STOP_GRACE_MS = 2_000;

type Ready = Extract<ServerMessage, { kind: 'ready' }>;

/**
 * Serves a GGUF file with llama.cpp in a child process of ours and returns the running model.
 * The child ends with this process, also when it is killed.
 *
 * @throws VivariumError `usage` (VIVARIUM_THREADS is no count), `model_file_invalid` (missing, not a GGUF, cut off, no chat template,
 * unsupported architecture), `engine_failed` (no binary, not enough memory, crash while loading);
 * the signal's reason when aborted. Nothing is left running then.
 */
export async function openLlamaCpp(
  file: string,
  options: OpenLlamaCppOptions,
): Promise<ModelHandle> {
  options.signal?.throwIfAborted();
  const files = await findModelFiles(file);
  const start = startMessage(files[0], options);
  const log = openEngineLog(
    options.home,
    `${new Date().toISOString().replace(/[:.]/g, '')}-${newId(4)}`,
  );
  const ready = Promise.withResolvers<Ready>();
  // Whoever waits sees the failure; nobody may wait yet.
  ready.promise.catch(() => {});
  const child = await (options.startChild ?? forkChild)({
    entry: SERVER_ENTRY,
    env: childEnvironment(options.env),
    onMessage: (message) => settle(message as ServerMessage, ready),
    onLine: (line) => {
      log.add(line);
      options.onLog?.(line);
    },
  });
  try {
    child.send(start);
    const [served, sha256] = await Promise.all([
      untilReady(ready.promise, child, log, options.signal),
      digestFiles(files, options.home, options.signal),
    ]);
    return toHandle(file, start, served, sha256, child, log);
  } catch (error) {
    await child.stop(STOP_GRACE_MS);
    log.close();
    throw error;
  }
}

function startMessage(file: string, options: OpenLlamaCppOptions): StartMessage {
  return {
    kind: 'start',
    file,
    key: randomBytes(24).toString('base64url'),
    name: basename(file).replace(/\.gguf$/i, ''),
    port: 0,
    device: options.gpu === false ? 'cpu' : 'auto',
    gpuLayers: null,
    contextTokens: options.contextTokens ?? null,
    mayShrink: true,
    trainedContextTokens: null,
    threads: options.threads ?? threadsAsked(options.env),
    parallel: Math.max(1, options.parallel ?? 1),
    chatTemplate: options.chatTemplate === undefined ? null : { text: options.chatTemplate },
    tokensPerTurn: null,
    prefixCaching: true,
  };
}

/** Progress comes as a line too. */
function settle(message: ServerMessage, ready: PromiseWithResolvers<Ready>): void {
  if (message.kind === 'ready') ready.resolve(message);
  if (message.kind !== 'failed') return;
  ready.reject(new VivariumError(message.code, message.message, message.next));
}

async function untilReady(
  ready: Promise<Ready>,
  child: OwnedChild,
  log: EngineLog,
  signal: AbortSignal | undefined,
): Promise<Ready> {
  const ended = child.exited.then((exit) => {
    throw crashError('while it loaded the model', exit, log);
  });
  // One of the three wins; the others may still fail, unheard.
  ended.catch(() => {});
  const listening = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(signal?.reason as Error);
    signal?.addEventListener('abort', onAbort, { signal: listening.signal });
  });
  try {
    return await Promise.race([ready, ended, aborted]);
  } finally {
    listening.abort();
  }
}

function crashError(when: string, exit: ChildExit, log: EngineLog): VivariumError {
  const how = exit.signal === null ? `with exit code ${String(exit.code)}` : `by ${exit.signal}`;
  const cause = log.cause();
  return new VivariumError(
    'engine_failed',
    `The llama.cpp engine ended ${how} ${when}${cause === '' ? '.' : `: ${cause}`}`,
    exit.signal === 'SIGKILL'
      ? 'The system may have run out of memory: use a smaller model or --max-context.'
      : `Try again; its log is ${log.file}.`,
  );
}

function toHandle(
  file: string,
  start: StartMessage,
  ready: Ready,
  sha256: string,
  child: OwnedChild,
  log: EngineLog,
): ModelHandle {
  const chat = createChatModel({
    baseUrl: `http://127.0.0.1:${ready.port}/v1`,
    apiKey: start.key,
    model: start.name,
    contextTokens: ready.contextTokens,
  });
  let closing: Promise<void> | undefined;
  const crashed = new AbortController();
  void child.exited.then((exit) => {
    log.close();
    if (closing === undefined) crashed.abort(crashError('while it was in use', exit, log));
  });
  return {
    chat: untilCrash(chat, crashed.signal),
    info: {
      engine: 'llamacpp',
      name: start.name,
      spec: `gguf:${file}`,
      contextTokens: ready.contextTokens,
      sha256,
      details: ready.details,
    },
    pid: child.pid,
    gone: async () => (crashed.signal.aborted ? (crashed.signal.reason as Error) : null),
    close: () => (closing ??= child.stop(STOP_GRACE_MS)),
  };
}

/** A dead engine answers no retry: its end is the failure, told at once. */
function untilCrash(chat: ChatModel, crashed: AbortSignal): ChatModel {
  return {
    complete: (request: CompletionRequest) => {
      const signals = request.signal === undefined ? [crashed] : [request.signal, crashed];
      return chat.complete({ ...request, signal: AbortSignal.any(signals) });
    },
  };
}
