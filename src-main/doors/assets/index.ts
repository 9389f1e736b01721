export { readAsset, type Asset } from './read-asset.ts';
export { isRendererBuilt, rendererFolder } from './renderer-folder.ts';
export { cacheControl, CONTENT_SECURITY_POLICY, SECURITY_HEADERS } from './security-headers.ts';
