export { PROTECTED_FILES, protectChanges, type ProtectedChanges } from './protected-files.ts';
export { runBefore, verifyPatch, type VerifyRequest } from './verify-patch.ts';
