import { useEffect } from 'react';
import { useServices } from '../services.ts';
import { jobsOf } from './jobs.ts';

/**
 * Asks before the page is left while work runs that would end with it: a model that is copied, a bench,
 * an image that is built. Sessions do not: they run in the core, and another page finds them again.
 */
export function useLeaveGuard(): void {
  const jobs = jobsOf(useServices().client);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (jobs.isBusy()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [jobs]);
}
