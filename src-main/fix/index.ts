export { performAttempt, type AttemptEnd, type AttemptJob } from './attempt.ts';
export { recoverPatch } from './attempt-patch.ts';
export { bodiesOf, toChatMessage, toRecorded } from './checkpoint.ts';
export {
  downloadOf,
  exportLeaf,
  exportMbox,
  exportOne,
  exportResult,
  patchBytes,
} from './export.ts';
export type { Download } from './export.ts';
export { chooseAttempt, readAttempts } from './result.ts';
export { runSession, type Remaining } from './session.ts';
export { mergeLimits, readRepositorySettings, readSmallFile } from './settings.ts';
export { startChanges } from './start-changes.ts';
export type { WatchedServer } from './server-glimpse.ts';
export type { RepositorySettings } from './settings.ts';
export { settledSchema, type AskedRequest, type SettledRequest } from './settled.ts';
export type { FixProgress, SessionParts, SessionPlan } from './types.ts';
export { drivenBy, type Driving } from './driving.ts';
export {
  isTestFile,
  junitCases,
  keepAsInSnapshot,
  PROTECTED_FILES,
  lineName,
  type JunitCase,
} from './verify/index.ts';
export {
  decide,
  followUpIssue,
  note,
  openReview,
  removeNote,
  reviewedResult,
  selectedBytes,
  showReview,
  type OpenReview,
} from './review/index.ts';
export { tokensOfStep } from './turn-tokens.ts';
export { leafTrajectory, openAiMessage, openAiTool } from './trajectory.ts';
