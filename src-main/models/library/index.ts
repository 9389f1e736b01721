export { createModelLibrary, type ModelLibraryOptions } from './create-library.ts';
export { inspectModel, type InspectedModel } from './inspect.ts';
export { licencesDiffer } from './licences.ts';
