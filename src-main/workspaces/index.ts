export type * from './types.ts';
export { connectEngine, type Engine } from './docker/engine.ts';
export { findImage, inspectImage, type ImageFacts } from './docker/images.ts';
export { openWorkspace } from './docker/open-workspace.ts';
export { createOwner, type Owner } from './docker/owner.ts';
export { reapOrphans } from './docker/reap.ts';
