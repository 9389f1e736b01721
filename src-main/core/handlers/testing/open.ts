import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { HandlerContext, Handlers } from '../../../contract/index.ts';
import { Environment } from '../../environment.ts';
import { createHandlers } from '../index.ts';

/** Handlers on an empty home in a temporary folder, without a container engine. */
export function openHandlers(): {
  folder: string;
  environment: Environment;
  handlers: Handlers;
  context: HandlerContext;
} {
  const folder = mkdtempSync(path.join(tmpdir(), 'vivarium-handlers-'));
  const env = { PATH: process.env['PATH'], DOCKER_HOST: 'unix:///nowhere.sock' };
  const environment = new Environment({ home: path.join(folder, 'home'), env });
  onTestFinished(async () => {
    await environment.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const context = { signal: new AbortController().signal };
  return { folder, environment, handlers: createHandlers(environment), context };
}
