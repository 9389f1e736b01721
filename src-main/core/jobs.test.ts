import { expect, test } from 'vitest';
import { createJobs, type Jobs, type Work } from './jobs.ts';

const open = () => new AbortController();

/** Work that tells and ends when the test says so. */
function controlled() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let tell: (item: number) => void = () => undefined;
  let began = 0;
  const work: Work<number, string> = {
    ...{ name: 'models/start', subject: 'frog', input: { name: 'frog' }, most: 2 },
    run: async (told, signal) => {
      began += 1;
      tell = told;
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      return promise;
    },
  };
  return { work, tell: (item: number) => tell(item), finish: resolve, began: () => began };
}

async function drain<T, R>(stream: AsyncGenerator<T, R, void>): Promise<[T[], R]> {
  const items: T[] = [];
  for (;;) {
    const step = await stream.next();
    if (step.done === true) return [items, step.value];
    items.push(step.value);
  }
}

function jobs(): { made: Jobs; close: () => Promise<void> } {
  let close = async (): Promise<void> => undefined;
  const made = createJobs((ending) => (close = ending));
  return { made, close: () => close() };
}

test('items come in order, the newest where few are kept, then the end', async () => {
  const { made } = jobs();
  const { signal } = open();
  const all = made.watch(
    {
      ...{ name: 'models/bench', subject: 'frog', input: {}, most: 2 },
      run: async (tell: (item: number) => void) => {
        for (const n of [1, 2, 3]) tell(n);
        await Promise.resolve();
        tell(4);
        return 'done';
      },
    },
    signal,
  );
  expect(await drain(all)).toEqual([[3, 4], 'done']);
  const failing = made.watch(
    { ...controlled().work, run: () => Promise.reject(new Error('no')) },
    signal,
  );
  await expect(failing.next()).rejects.toThrow('no');
  expect(made.list()).toEqual([]);
});

test('one who goes leaves the work running; the next who asks the same watches it to its end', async () => {
  const { made } = jobs();
  const { work, tell, finish, began } = controlled();
  const first = made.watch(work, open().signal);
  const item = first.next();
  await expect.poll(began).toBe(1);
  tell(1);
  expect(await item).toEqual({ done: false, value: 1 });
  await first.return('gone');
  tell(2);
  tell(3);
  expect(made.list()).toEqual([
    {
      name: 'models/start',
      subject: 'frog',
      input: { name: 'frog' },
      startedAt: expect.any(Number),
    },
  ]);
  const second = drain(made.watch(work, open().signal));
  finish('ready');
  expect(await second).toEqual([[2, 3], 'ready']);
  expect([began(), made.list()]).toEqual([1, []]);
});

test('another input is refused while it runs', async () => {
  const { made, close } = jobs();
  const { work, began } = controlled();
  const first = drain(made.watch(work, open().signal));
  await expect.poll(began).toBe(1);
  const other = made.watch({ ...work, input: { name: 'frog', force: true } }, open().signal);
  await expect(other.next()).rejects.toMatchObject({
    code: 'usage',
    message: 'the same work on frog runs already, with other options',
  });
  await Promise.all([expect(first).rejects.toThrow('the app is closing'), close()]);
});

test('a cancel ends it for all who watch and is over when the work is; begun again, it is new', async () => {
  const { made } = jobs();
  const { work, began } = controlled();
  const watching = [drain(made.watch(work, open().signal)), drain(made.watch(work, open().signal))];
  const failed = Promise.all(watching.map(async (one) => expect(one).rejects.toThrow('cancelled')));
  await expect.poll(began).toBe(1);
  expect(await made.cancel('models/start', 'frog')).toBe(true);
  expect(made.list()).toEqual([]);
  await failed;
  expect(await made.cancel('models/start', 'frog')).toBe(false);
  const again = controlled();
  const third = drain(made.watch(again.work, open().signal));
  await expect.poll(again.began).toBe(1);
  again.finish('ready');
  expect(await third).toEqual([[], 'ready']);
});

test('a cancel of one who watches ends the work', async () => {
  const { made } = jobs();
  const { work, began } = controlled();
  const person = open();
  const watching = drain(made.watch(work, person.signal));
  await expect.poll(began).toBe(1);
  person.abort(new Error('cancelled by the client'));
  await expect(watching).rejects.toThrow('cancelled by the client');
  expect(made.list()).toEqual([]);
});
