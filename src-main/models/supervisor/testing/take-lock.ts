/** Takes a lock at an agreed moment, tells whether it got it, and holds it until it is killed. */
import { takeLock } from '../lock.ts';

const [folder = '', at = '0'] = process.argv.slice(2);
while (Date.now() < Number(at));
const { lock } = takeLock(folder, 'test');
process.stdout.write(lock === null ? 'no\n' : 'yes\n');
setInterval(() => {}, 60_000);
