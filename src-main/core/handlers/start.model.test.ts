import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { HandlerContext, Handlers } from '../../contract/index.ts';
import { Environment, RESOURCES } from '../environment.ts';
import { createHandlers } from './index.ts';

const MAIN = path.resolve(import.meta.dirname, '../../doors/cli/main.ts');

/** Handlers whose servers are kept by the real command, with a model. */
async function withModel(): Promise<{ handlers: Handlers; context: HandlerContext }> {
  const home = mkdtempSync(path.join(tmpdir(), 'vivarium-start-'));
  const keeperCommand = [process.execPath, MAIN, 'models', 'keep'];
  const environment = new Environment({ home, env: process.env, keeperCommand });
  const handlers = createHandlers(environment);
  const context = { signal: new AbortController().signal };
  onTestFinished(async () => {
    await environment.models.stop('frog', { force: true }).catch(() => undefined);
    await environment.close();
    rmSync(home, { recursive: true, force: true });
  });
  const file = path.join(RESOURCES, 'models', 'tadpole.gguf');
  const adding = handlers['models/add']({ path: file, name: 'frog' }, context);
  while ((await adding.next()).done !== true);
  return { handlers, context };
}

const START = { name: 'models/start', subject: 'frog' } as const;

/** A page that sees the start load, and is reloaded. */
async function watchAndGo(handlers: Handlers, context: HandlerContext): Promise<void> {
  const page = handlers['models/start']({ name: 'frog' }, context);
  const first = await page.next();
  if (first.done === true) throw new Error('nothing of the start was told');
  expect(['planning', 'loading']).toContain(first.value.state);
  await page.return(first.value);
}

test('a start goes on when its page is reloaded, and the next page sees it become ready', async () => {
  const { handlers, context } = await withModel();
  await watchAndGo(handlers, context);
  expect(await handlers['jobs/list']({}, context)).toMatchObject([START]);
  const again = handlers['models/start']({ name: 'frog' }, context);
  for (;;) {
    const step = await again.next();
    if (step.done !== true) continue;
    expect(step.value).toMatchObject({ name: 'frog', state: 'ready', ownerKind: 'keeper' });
    break;
  }
  expect(await handlers['jobs/list']({}, context)).toEqual([]);
});

test('a start that is cancelled is over, with its process', async () => {
  const { handlers, context } = await withModel();
  await watchAndGo(handlers, context);
  expect(await handlers['jobs/cancel'](START, context)).toEqual({ cancelled: true });
  const [row] = await handlers['models/list']({}, context);
  expect(['stopped', 'failed']).toContain(row?.status.state);
  expect(row?.status.pid).toBe(null);
});

test('a start is ended by `models/stop` too, and its watchers are told', async () => {
  const { handlers, context } = await withModel();
  const page = handlers['models/start']({ name: 'frog' }, context);
  await page.next();
  await handlers['models/stop']({ name: 'frog', force: true }, context);
  const told = async (): Promise<never> => {
    for (;;) if ((await page.next()).done === true) throw new Error('it became ready');
  };
  await expect(told()).rejects.toMatchObject({ code: 'server_not_running' });
  expect(await handlers['jobs/list']({}, context)).toEqual([]);
});
