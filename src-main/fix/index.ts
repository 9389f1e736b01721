export { recoverPatch } from './attempt-patch.ts';
export { bodiesOf } from './checkpoint.ts';
export { exportLeaf, exportMbox, exportResult, patchBytes } from './export.ts';
export { chooseAttempt, readAttempts, sessionResult } from './result.ts';
export { runSession, type Remaining } from './session.ts';
export { mergeLimits, readRepositorySettings, readSmallFile } from './settings.ts';
export type { WatchedServer } from './server-glimpse.ts';
export type { RepositorySettings } from './settings.ts';
export { settledSchema, type AskedRequest, type SettledRequest } from './settled.ts';
export type { FixProgress, SessionParts, SessionPlan } from './types.ts';
export type { Driving } from './driving.ts';
export {
  decide,
  isPartial,
  note,
  openReview,
  removeNote,
  requireSelected,
  selectedBytes,
  showReview,
  type OpenReview,
} from './review/index.ts';
