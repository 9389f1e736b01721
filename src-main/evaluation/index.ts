export { gradeAgain } from './grading/evidence-blobs.ts';
export { grade, gradeIn } from './grading/grade.ts';
export { AMBIGUOUS_REASONS } from './grading/infra-signs.ts';
export { logParsers } from './grading/parsers/index.ts';
export type * from './grading/types.ts';
export { emptyPatchGrading, infraGrading, verdictOf } from './grading/verdict.ts';
export { attemptWorkspace, gradingWorkspace } from './grading/workspace-options.ts';
export { parseTestList } from './tasks/test-list.ts';
export {
  ORDER_SEED,
  PYTEST_PROTECT,
  pytestVerifier,
  type PytestVerifier,
} from './tasks/pytest-verifier.ts';
export { hiddenPaths, readTask } from './tasks/read-task.ts';
export { readTaskSet } from './tasks/read-task-set.ts';
export type * from './tasks/types.ts';
export { unpackTree } from './tasks/unpack-tree.ts';
export { writeTask } from './tasks/write-task.ts';
