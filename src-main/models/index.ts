export type * from './types.ts';
export type * from './servers/types.ts';
export { ContextOverflowError } from './types.ts';
export { forwardLines, type ChildExit, type OwnedChild, type StartChild } from './child.ts';
export { createChatModel, type ChatModelOptions } from './client.ts';
export { createHttpFetch } from './client/http-fetch.ts';
export { loadClient } from './client/load-client.ts';
export {
  openChatTokenizer,
  type ChatTokenizer,
  type EncodedChat,
} from './engines/llamacpp/tokenizer.ts';
export { openModel, type OpenModelOptions } from './open-model.ts';
export { parseModelSpec, shownSpec, type ModelSpec } from './spec.ts';
export type * from './service/types.ts';
export type * from './servers/types.ts';
export { watchGpus } from './telemetry/gpu-watch.ts';
export { inspectModel } from './library/index.ts';
export { createModelService } from './service/create-service.ts';
export { drivingOf, importNotes, parseOverrides, presetScaffolds } from './profiles/index.ts';
