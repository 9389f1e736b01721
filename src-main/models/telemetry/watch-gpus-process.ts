/** Child of the test: watches with the nvidia-smi of its PATH and says so, until it is killed. */
import { writeSync } from 'node:fs';
import { watchGpus } from './gpu-watch.ts';

const watch = await watchGpus({ env: process.env });
writeSync(1, watch === null ? 'none\n' : 'watching\n');
setInterval(() => {}, 60_000);
