import type { Handlers } from '../../contract/index.ts';
import type { Environment } from '../environment.ts';
import { environmentHandlers } from './environment.ts';
import { jobHandlers } from './jobs.ts';
import { liveHandlers } from './live.ts';
import { modelHandlers } from './models.ts';
import { repositoryHandlers } from './repositories.ts';
import { reviewHandlers } from './review.ts';
import { sessionHandlers } from './sessions.ts';
import { settingHandlers } from './settings.ts';

/** Every call and stream of the contract for one data folder, one file per domain. */
export function createHandlers(environment: Environment): Handlers {
  return {
    ...sessionHandlers(environment),
    ...liveHandlers(environment),
    ...repositoryHandlers(environment),
    ...modelHandlers(environment),
    ...jobHandlers(environment),
    ...environmentHandlers(environment),
    ...settingHandlers(environment),
    ...reviewHandlers(environment),
  };
}
