export type * from './types.ts';
export { runAttempt } from './loop/run-attempt.ts';
export { createLeafScaffold } from './scaffolds/leaf/scaffold.ts';
export { listScaffolds, type ListedScaffold } from './scaffolds/list-scaffolds.ts';
export { loadScaffold } from './scaffolds/load-scaffold.ts';
export type { ScaffoldFile } from './scaffolds/file.ts';
