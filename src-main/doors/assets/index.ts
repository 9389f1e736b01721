export { readAsset, type Asset } from './read-asset.ts';
export { isRendererBuilt, rendererFolder } from './renderer-folder.ts';
export { cacheControl, SECURITY_HEADERS } from './security-headers.ts';
