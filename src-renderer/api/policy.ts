import type { CallName } from '../../src-main/contract/index.ts';

/** A call that is not answered after this time is given up, unless it says otherwise. */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** For calls that end when work of minutes is done. */
const LONG_TIMEOUT_MS = 60 * 60_000;

const LONG: ReadonlySet<string> = new Set<CallName>([
  'environment/importImage',
  'environment/clean',
  'models/remove',
  'models/stop',
  'review/export',
  'review/download',
  'sessions/stop',
  'evaluation/report',
  'evaluation/stop',
]);

/** They only look, so one whose answer was lost with the connection is asked again. */
const LOOKS: ReadonlySet<string> = new Set<CallName>([
  'sessions/list',
  'sessions/get',
  'sessions/events',
  'sessions/blob',
  'sessions/check',
  'review/get',
  'review/download',
  'repositories/inspect',
  'repositories/recent',
  'folders/list',
  'models/list',
  'models/profile',
  'models/plan',
  'models/samples',
  'models/machine',
  'environment/doctor',
  'environment/images',
  'environment/disk',
  'evaluation/runs',
  'evaluation/run',
  'evaluation/cells',
  'evaluation/cell',
  'evaluation/compare',
  'evaluation/report',
  'settings/get',
  'drafts/get',
  'about',
]);

export function timeoutOf(name: string): number {
  return LONG.has(name) ? LONG_TIMEOUT_MS : DEFAULT_TIMEOUT_MS;
}

export function isRepeatable(name: string): boolean {
  return LOOKS.has(name);
}
