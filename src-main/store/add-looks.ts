/**
 * Child of the tests of samples: adds looks, one a second by their own clock, to a server of its own
 * and to `shared`, and says after each how many there are. Arguments: file, server, moment of the
 * first, and how many (default: without end, within 9 minutes).
 */
import { writeSync } from 'node:fs';
import { openStore } from './index.ts';
import { look } from './sample-looks.ts';

const [, , file = '', server = '', start = '', count = 'Infinity'] = process.argv;
const store = openStore(file, { now: () => Number(start) });
for (let index = 0; index < Number(count); index += 1) {
  const sample = look(Number(start) + (index % 540) * 1000);
  store.addServerSample(server, sample);
  if (count !== 'Infinity') store.addServerSample('shared', sample);
  writeSync(1, `${index + 1}\n`);
}
store.close();
