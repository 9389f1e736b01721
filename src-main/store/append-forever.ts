/**
 * Child of the kill test: appends steps and says on stdout, after each, the number it got.
 * Arguments: file, session id, and how many steps (default: without end).
 */
import { sha256 } from '../lib/index.ts';
import { openStore } from './index.ts';
import { begin, sample } from './sample-events.ts';
import { say } from './say.ts';

const [, , file = '', sessionId = '', count = 'Infinity'] = process.argv;
const store = openStore(file);
const ids = { sessionId, attemptId: `${sessionId}-1` };
begin(store, ids.sessionId, ids.attemptId);
for (let step = 1; step <= Number(count); step += 1) {
  const content = Buffer.from(`${sessionId} ${step} `.repeat(1 + ((step * 37) % 4000)));
  const changes = [
    { kind: 'file', path: 'a.py', executable: false, blob: sha256(content) } as const,
  ];
  const event = sample('step.finished', { step, changes }, ids);
  const { number } = store.append({ ...event, blobs: [content] });
  say(`${step} ${number}\n`);
}
store.close();
