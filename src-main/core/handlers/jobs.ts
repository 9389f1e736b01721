import type { Handlers } from '../../contract/index.ts';
import type { Environment } from '../environment.ts';
import { jobsOf } from '../jobs.ts';

export function jobHandlers(environment: Environment): Pick<Handlers, 'jobs/list' | 'jobs/cancel'> {
  return {
    'jobs/list': async () => jobsOf(environment).list(),
    'jobs/cancel': async ({ name, subject }) => ({
      cancelled: await jobsOf(environment).cancel(name, subject),
    }),
  };
}
