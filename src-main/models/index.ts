export type * from './types.ts';
export type * from './servers/types.ts';
export { ContextOverflowError } from './types.ts';
export { createChatModel, type ChatModelOptions } from './client.ts';
export { openModel, type OpenModelOptions } from './open-model.ts';
export { parseModelSpec, shownSpec, type ModelSpec } from './spec.ts';
