export { displayWidth, padToWidth, truncateToWidth } from './display-width.ts';
export { VivariumError, messageOf } from './errors.ts';
export { sha256 } from './hash.ts';
export { newId } from './ids.ts';
export { isAlive, processIdentity } from './process-identity.ts';
export { mapOrdered } from './map-ordered.ts';
export { formatSize, parseSize } from './sizes.ts';
export { hiddenCharacters, visible, visibleLine } from './visible.ts';
export { baseOfSeed, mixSeed } from './seeds.ts';
