export { parseTestList } from './tasks/test-list.ts';
export {
  ORDER_SEED,
  PYTEST_PROTECT,
  pytestVerifier,
  type PytestVerifier,
} from './tasks/pytest-verifier.ts';
export { readTask } from './tasks/read-task.ts';
export { readTaskSet } from './tasks/read-task-set.ts';
export type * from './tasks/types.ts';
export { unpackTree } from './tasks/unpack-tree.ts';
export { writeTask } from './tasks/write-task.ts';
