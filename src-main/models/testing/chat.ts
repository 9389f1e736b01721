import { onTestFinished } from 'vitest';
import { createChatModel, type ChatModelOptions } from '../client.ts';
import type { ChatModel, CompletionRequest } from '../types.ts';
import { serveAnswers, type Answer, type TestServer } from './http-server.ts';

/** A server for the length of the test. */
export async function serve(...answers: Answer[]): Promise<TestServer> {
  const server = await serveAnswers(answers);
  onTestFinished(() => server.close());
  return server;
}

/** A client of that server which does not wait long between tries. */
export function chat(server: TestServer, more: Partial<ChatModelOptions> = {}): ChatModel {
  return createChatModel({
    baseUrl: server.url,
    apiKey: null,
    model: 'small',
    contextTokens: null,
    retries: { firstPauseMs: 1, longestPauseMs: 2 },
    ...more,
  });
}

export function request(more: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    messages: [{ role: 'user', content: 'hello' }],
    tools: [],
    sampling: {},
    maxTokens: 1000,
    ...more,
  };
}
