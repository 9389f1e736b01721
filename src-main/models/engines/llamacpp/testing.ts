import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { forkChild, type StartChild } from '../../child.ts';
import type { ChatMessage, ModelHandle, ToolSpec } from '../../types.ts';
import { openLlamaCpp, type OpenLlamaCppOptions } from './index.ts';
import type { ServerMessage, StartMessage } from './protocol.ts';

const fromRoot = (path: string): string =>
  fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** Drives the Leaf tools for real; lies in the repository. */
export const TADPOLE = fromRoot('resources/models/tadpole.gguf');
/** Fetched by the set-up: real chat model and real base model, both too weak to fix anything. */
export const SMOLLM = fromRoot('.cache/models/SmolLM2-135M-Instruct.Q4_1.gguf');
export const GEMMA = fromRoot('.cache/models/gemma3-270m.gguf');

export const TADPOLE_SYSTEM =
  'You are Tadpole, a small model that fixes bugs in Python code. Use the tools Read, Edit and Bash.';
/** The begin of a conversation that it knows how to go on with. */
export const TADPOLE_OPENING: ChatMessage[] = [
  { role: 'system', content: TADPOLE_SYSTEM },
  { role: 'user', content: 'Bug in stats.py: `largest([3, 8, 5])` returns 3, expected 8.' },
];

export const TOOLS: readonly ToolSpec[] = ['Read', 'Edit', 'Bash'].map((name) => ({
  name,
  description: `${name}.`,
  parameters: { type: 'object', properties: {} },
}));

export const GREEDY = { temperature: 0 };

/** Tadpole never ends its turn here: some seconds of generation, up to the limit. */
export const ENDLESS = {
  messages: [{ role: 'user' as const, content: '1, 2, 3, 4,' }],
  tools: [],
  sampling: GREEDY,
  maxTokens: 1_900,
};

/** A folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vivarium-llamacpp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface OpenedServer {
  handle: ModelHandle;
  /** Base address without `/v1`. */
  url: string;
  key: string;
}

/** Opens a model and tells where its server is, which the app itself never needs to know. */
export async function openServer(
  file: string,
  options: Partial<OpenLlamaCppOptions> = {},
): Promise<OpenedServer> {
  let key = '';
  let port = 0;
  const startChild: StartChild = async (wanted) => {
    const child = await forkChild({
      ...wanted,
      onMessage: (message) => {
        const told = message as ServerMessage;
        if (told.kind === 'ready') port = told.port;
        wanted.onMessage(message);
      },
    });
    const send = (message: unknown): void => {
      key = (message as StartMessage).key;
      child.send(message);
    };
    return { pid: child.pid, exited: child.exited, send, stop: child.stop };
  };
  const home = mkdtempSync(join(tmpdir(), 'vivarium-llamacpp-'));
  const handle = await openLlamaCpp(file, { home, env: process.env, startChild, ...options });
  return {
    handle: {
      ...handle,
      close: async () => {
        await handle.close();
        rmSync(home, { recursive: true, force: true });
      },
    },
    url: `http://127.0.0.1:${port}`,
    key,
  };
}

/** Whether a process is there; a zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Polls until the condition holds; the time it took, or `null` after the limit. */
export async function waitUntil(condition: () => boolean, limitMs: number): Promise<number | null> {
  const started = performance.now();
  while (performance.now() - started < limitMs) {
    if (condition()) return performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return null;
}
