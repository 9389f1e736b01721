export type * from './types.ts';
export { fitLimits, fitParallel } from './limits.ts';
export { connectEngine, type Engine } from './docker/engine.ts';
export { probeEngine, type EngineFacts } from './docker/probe.ts';
export { imageTree, type ImageTreeOptions } from './docker/image-tree.ts';
export {
  findImage,
  imageConfig,
  importImageArchive,
  listImages,
  type ImageConfig,
  type ImageFacts,
} from './docker/images.ts';
export { openWorkspace } from './docker/open-workspace.ts';
export { createOwner, type Owner } from './docker/owner.ts';
export { listOwned, reapOrphans, type OwnedThings } from './docker/reap.ts';
