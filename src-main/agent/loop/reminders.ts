import type { ChatMessage } from '../../models/index.ts';
import type { AttemptState } from './state.ts';

/** The messages with the scaffold's reminder below the last one, where it has one. */
export function remindedOf(
  { request }: Pick<AttemptState, 'request'>,
  messages: ChatMessage[],
  stepsDone: number,
): ChatMessage[] {
  const { scaffold, limits } = request;
  const text = scaffold.remind?.({ stepsDone, maxSteps: limits.maxSteps });
  return text === undefined ? messages : withBelow(messages, text, '\n');
}

/** Text below the last message if that is the user's, else in a message of its own. */
export function withBelow(messages: ChatMessage[], text: string, gap: string): ChatMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: text }];
  return [...messages.slice(0, -1), { ...last, content: `${last.content}${gap}${text}` }];
}
