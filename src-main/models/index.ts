export type * from './types.ts';
export { ContextOverflowError } from './types.ts';
export { createChatModel, type ChatModelOptions } from './client.ts';
