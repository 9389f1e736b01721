import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  serveAnswers,
  stream,
  type TestServer,
} from '../../src-main/models/testing/http-server.ts';
import { openSetting, VERIFY, write, type Call, type Setting } from './setting.ts';

let setting: Setting;
beforeEach(async () => {
  setting = await openSetting();
});
afterEach(async () => {
  await setting.dispose();
});

/** One streamed reply that makes a call. */
function calling({ name, arguments: given }: Call) {
  const call = { index: 0, id: 'c1', function: { name, arguments: JSON.stringify(given) } };
  const choice = (delta: object, finish: string | null) => ({
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  return stream([choice({ tool_calls: [call] }, null), choice({}, 'tool_calls')]);
}

test('a model server that goes for good ends the session: what was not run is no failure', async () => {
  let asked = 0;
  const server: TestServer = await serveAnswers([
    (response, seen) => {
      if (!seen.path.endsWith('/chat/completions')) {
        response.writeHead(404).end();
        return;
      }
      asked += 1;
      if (asked === 1) calling(write('keep.py', 'KEEP = 1\n'))(response, seen);
      // It is gone before the second turn is answered.
      else void server.close();
    },
  ]);
  const model = `${server.url}/v1#frog`.replace('/v1/v1', '/v1');
  const result = await setting.fix({ model, attempts: 4, verify: VERIFY });
  expect([asked, result.outcome, result.attempts.length]).toEqual([2, 'not_verified', 1]);
  expect(result.attempts[0]?.exitReason).toBe('llm_query_error');
  expect(result.patch?.files.map(({ path }) => path)).toEqual(['keep.py']);
  expect(result.detail).toMatch(/; 3 attempts were not run\. \S/);
  expect(setting.core.sessions()[0]).toMatchObject({ state: 'not_verified' });
});
