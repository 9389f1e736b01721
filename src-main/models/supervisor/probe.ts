import { createChatModel } from '../client.ts';
import type { ServerAccess } from '../servers/types.ts';

const NO_RETRIES = { temporaryRetries: 0, unreachableRetries: 0, badRequestRetries: 0 };

/**
 * Lets the server generate one token, the way the app itself talks to it: the only proof that it
 * works. Rejects with the client's error, or with the signal's reason.
 */
export async function generateOneToken(access: ServerAccess, signal: AbortSignal): Promise<void> {
  const chat = createChatModel({
    baseUrl: `${access.root}/v1`,
    apiKey: access.key,
    model: access.servedName,
    contextTokens: null,
    secrets: [access.key],
    retries: NO_RETRIES,
  });
  await chat.complete({
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [],
    sampling: { temperature: 0 },
    maxTokens: 1,
    signal,
  });
}
