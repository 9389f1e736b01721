import { expect, test } from 'vitest';
import { faultOfHistory, type WireMessage } from './history.ts';

const user: WireMessage = { role: 'user', content: 'x' };
const answer = (id: string): WireMessage => ({ role: 'tool', tool_call_id: id, content: 'r' });
const calls = (...ids: string[]): WireMessage => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({ id, function: { name: 'Read', arguments: '{}' } })),
});

test.each<[string | null, WireMessage[]]>([
  [null, [user, calls('a', 'b'), answer('b'), answer('a'), user]],
  ['messages[2] comes before the answer to call a', [user, calls('a'), user]],
  ['the answer to call b is missing', [user, calls('a', 'b'), answer('a')]],
  ['messages[1] answers no open call', [user, answer('a')]],
  ['messages[3] answers no open call', [user, calls('a'), answer('a'), answer('a')]],
  ['messages[1] has two calls with one id', [user, calls('a', 'a'), answer('a')]],
  [
    'messages[0] has arguments that are not a JSON object',
    [
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', function: { name: 'Read', arguments: '{"x": ' } }],
      },
      answer('a'),
    ],
  ],
])('L01 %s', (fault, messages) => {
  expect(faultOfHistory(messages)).toBe(fault);
});
