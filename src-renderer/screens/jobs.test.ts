import { expect, it } from 'vitest';
import type { Client } from '../api/types.ts';
import { createJobs, ONE } from './jobs.ts';

/** A client whose one stream is in the test's hands. */
function handClient() {
  const asked: Array<{ input: unknown; signal: AbortSignal | undefined }> = [];
  let next: ((line: string | Error | null) => void) | null = null;
  const wait = () => new Promise<string | Error | null>((resolve) => (next = resolve));
  async function* stream(_name: string, input: unknown, options?: { signal?: AbortSignal }) {
    asked.push({ input, signal: options?.signal });
    for (;;) {
      const line = await wait();
      if (line instanceof Error) throw line;
      if (line === null) return { reference: 'image:1' };
      yield { line };
    }
  }
  const client = { stream } as unknown as Client;
  const give = async (line: string | Error | null) => {
    next?.(line);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { client, asked, give };
}

const NAME = 'environment/buildImage';

it('goes on without anyone who looks, and is found again by its key', async () => {
  const { client, asked, give } = handClient();
  const jobs = createJobs(client);
  const ended = jobs.start(NAME, 'one', { tag: 'image:1' });
  await give('first');
  await give('second');
  expect(asked[0]?.input).toEqual({ tag: 'image:1' });
  expect(jobs.get(NAME, 'one')).toMatchObject({
    ...{ state: 'running', items: [{ line: 'first' }, { line: 'second' }] },
    last: { line: 'second' },
  });
  expect(jobs.get(NAME, 'other').state).toBe('idle');
  await give(null);
  await ended;
  expect(jobs.get(NAME, 'one')).toMatchObject({
    ...{ state: 'done', output: { reference: 'image:1' } },
  });
});

it('says why it failed, and keeps what it told before', async () => {
  const { client, give } = handClient();
  const jobs = createJobs(client);
  const ended = jobs.start(NAME, 'one', {});
  await give('first');
  await give(new Error('no space'));
  await ended;
  expect(jobs.get(NAME, 'one')).toMatchObject({
    ...{ state: 'failed', items: [{ line: 'first' }], error: new Error('no space') },
  });
});

it('is forgotten when it is stopped, whatever comes after that', async () => {
  const { client, asked, give } = handClient();
  const jobs = createJobs(client);
  let told = 0;
  jobs.subscribe(() => (told += 1));
  void jobs.start(NAME, 'one', {});
  await give('first');
  jobs.stop(NAME, 'one');
  expect(asked[0]?.signal?.aborted).toBe(true);
  expect(jobs.get(NAME, 'one').state).toBe('idle');
  const before = told;
  await give('too late');
  expect(jobs.get(NAME, 'one').state).toBe('idle');
  expect(told).toBe(before);
});

it('watches work that the core runs already, under the key of the screen that shows it', async () => {
  const { client, asked, give } = handClient();
  const jobs = createJobs(client);
  const found = {
    name: NAME,
    subject: 'image:1',
    startedAt: 0,
    input: { tag: 'image:1' },
  } as const;
  jobs.join([found]);
  await give('first');
  jobs.join([found]);
  expect(asked.map(({ input }) => input)).toEqual([{ tag: 'image:1' }]);
  expect(jobs.get(NAME, ONE)).toMatchObject({ state: 'running', items: [{ line: 'first' }] });
  await give(null);
  expect(jobs.get(NAME, ONE).state).toBe('done');
});
