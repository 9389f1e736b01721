import { useEffect } from 'react';
import { useConnection } from '../api/hooks.ts';
import { useServices } from '../services.ts';
import { jobsOf } from './jobs.ts';

/**
 * Finds work of the core that another page began, or this one before it was reloaded: it is shown as if
 * it had been started here.
 */
export function useRunningJobs(): void {
  const { client } = useServices();
  const connection = useConnection();
  useEffect(() => {
    if (connection !== 'open') return;
    // What cannot be listed now is found with the next connection.
    client.call('jobs/list', {}).then(jobsOf(client).join, () => undefined);
  }, [client, connection]);
}
