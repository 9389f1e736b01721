/** What the tests of the core behind the contract share. */
import path from 'node:path';
import process from 'node:process';
import { expect, onTestFinished } from 'vitest';
import { createCore, type Core } from '../../src-main/core/index.ts';
import type { HandlerContext, LiveItem, NewFix } from '../../src-main/contract/index.ts';
import { IMAGE, leftovers, makePlace, removePlace, type Place } from '../cli/command.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../scripts/vivarium.mjs');

/** A place that must be empty of containers, volumes and servers at the end of the test. */
export async function cleanPlace(): Promise<Place> {
  const place = await makePlace();
  onTestFinished(async () => {
    const left = await leftovers(place);
    await removePlace(place);
    if (left.length > 0) throw new Error(`left behind: ${left.join(' ')}`);
  });
  return place;
}

/** A core on the data of a place, closed at the end of the test. */
export function openCore(place: Place, env: Record<string, string> = {}): Core {
  const core = createCore({
    home: place.home,
    env: { ...process.env, ...env },
    keeperCommand: [process.execPath, COMMAND, 'models', 'keep'],
  });
  onTestFinished(() => core.close());
  return core;
}

export function context(signal = new AbortController().signal): HandlerContext {
  return { signal };
}

export function newFix(place: Place, model: string, more: Partial<NewFix> = {}): NewFix {
  const issue = '# The total is one too high\n\n`total([1, 2])` gives 4.\n';
  return { repository: place.repository, issue, model, image: IMAGE, ...more };
}

export interface Watched {
  items: LiveItem[];
  numbers(): number[];
  types(): string[];
  /** Resolves once an item is there for which it holds. */
  until(holds: (item: LiveItem) => boolean): Promise<LiveItem>;
  end(): Promise<void>;
}

/** Gathers what `live` says. */
export function watch(core: Core, after: number | null = 0, session?: string): Watched {
  const stop = new AbortController();
  const items: LiveItem[] = [];
  const waiting = new Set<() => void>();
  const input = { after, ...(session !== undefined && { session }) };
  const done = (async () => {
    for await (const item of core.handlers.live(input, context(stop.signal))) {
      items.push(item);
      for (const look of waiting) look();
    }
  })();
  const end = async (): Promise<void> => {
    stop.abort();
    await done;
  };
  onTestFinished(end);
  return {
    items,
    numbers: () => items.flatMap((item) => (item.kind === 'event' ? [item.event.number] : [])),
    types: () => items.flatMap((item) => (item.kind === 'event' ? [item.event.body.type] : [])),
    until: (holds) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = items.find(holds);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    end,
  };
}

/** Resolves once nothing of a session runs any more: its model is closed after its last event. */
export async function ended(core: Core, session: string): Promise<void> {
  const stoppable = async (): Promise<boolean> => {
    const { rows } = await core.handlers['sessions/list'](LIST, context());
    return rows.some((row) => row.sessionId === session && row.stoppable);
  };
  await expect.poll(stoppable, { timeout: 30_000 }).toBe(false);
}

/** Holds for the event of a kind, of one session if it is named. */
export function eventOf(type: string, session?: string): (item: LiveItem) => boolean {
  return (item) =>
    item.kind === 'event' &&
    item.event.body.type === type &&
    (session === undefined || item.event.sessionId === session);
}

export const LIST = {
  ...{ text: '', states: [], repository: null, archived: false, sort: 'newest' as const },
  ...{ offset: 0, limit: 200 },
};
