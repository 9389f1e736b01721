import { forkChild, type ChildExit } from '../child.ts';
import { createLlamaCppEngine } from '../engines/llamacpp/server-engine.ts';
import type { LaunchInput, ReachInput } from '../servers/types.ts';

/** A server as the supervisor would start it, with all it said. */
export interface StartedServer {
  pid: number;
  root: string;
  lines: readonly string[];
  messages: readonly unknown[];
  exited: Promise<ChildExit>;
  reach(change?: Partial<ReachInput>): ReachInput;
  stop(): Promise<void>;
}

/** Starts our llama.cpp server by its engine; resolves when it listens or has ended. */
export async function startServer(input: LaunchInput): Promise<StartedServer> {
  const engine = createLlamaCppEngine();
  const command = engine.command(input);
  if (command.kind !== 'child') throw new Error('The engine is no child of ours.');
  const lines: string[] = [];
  const messages: unknown[] = [];
  const listening = Promise.withResolvers<number>();
  const child = await forkChild({
    entry: command.entry,
    env: command.env,
    onMessage: (message) => messages.push(message),
    onLine: (line) => {
      lines.push(line);
      const { port } = engine.readLine(line);
      if (port !== undefined) listening.resolve(port);
    },
  });
  child.send(command.start);
  const port = await Promise.race([listening.promise, child.exited.then(() => 0)]);
  const root = `http://127.0.0.1:${port}`;
  return {
    ...{ pid: child.pid, root, lines, messages, exited: child.exited },
    reach: (change = {}) => ({
      ...{ root, key: input.key, servedName: input.servedName },
      signal: AbortSignal.timeout(30_000),
      ...change,
    }),
    stop: () => child.stop(2_000),
  };
}
