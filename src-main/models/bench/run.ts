import type { ChatModel, Completion } from '../types.ts';
import type { WordSource } from './words.ts';

type Request = Parameters<ChatModel['complete']>[0];

/** What every part of one measurement needs. */
export interface BenchRun {
  ask(
    messages: Request['messages'],
    maxTokens: number,
    tools?: Request['tools'],
  ): Promise<Completion>;
  words: WordSource;
  progress(text: string): void;
  /** Tokens that a prompt may have; less after one that did not fit. */
  windowTokens: number;
}

export interface PromptSpeed {
  tokensPerSecond: number | null;
  /** Of the made-up words; a guess where the server does not count. */
  tokensPerWord: number;
}
