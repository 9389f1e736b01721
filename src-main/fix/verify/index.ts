export { runBefore, verifyPatch, type VerifyRequest } from './verify-patch.ts';
export { junitCases, type JunitCase } from './junit.ts';
export { isTestFile, keepAsInSnapshot, PROTECTED_FILES } from './protected-files.ts';
export { lineName } from './test-results.ts';
