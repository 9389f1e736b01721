export { runBefore, verifyPatch, type VerifyRequest } from './verify-patch.ts';
