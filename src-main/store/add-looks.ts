/**
 * Child of the tests of samples: adds looks, one a second by their own clock, to a server of its own
 * and to `shared`, and says after each how many there are. Arguments: file, server, moment of the
 * first, and how many (default: without end, within 9 minutes). A look is refused where somebody
 * else writes for longer than a look waits (a slow disk is enough): it is then added again.
 */
import type { ServerSample } from '../contract/index.ts';
import { codeOf } from '../lib/index.ts';
import { openStore } from './index.ts';
import { look } from './sample-looks.ts';
import { say } from './say.ts';

const [, , file = '', server = '', start = '', count = 'Infinity'] = process.argv;
const store = openStore(file, { now: () => Number(start) });

function add(name: string, sample: ServerSample): void {
  for (;;) {
    try {
      store.addServerSample(name, sample);
      return;
    } catch (thrown) {
      if (!(thrown instanceof Error) || codeOf(thrown.cause) !== 'SQLITE_BUSY') throw thrown;
    }
  }
}

for (let index = 0; index < Number(count); index += 1) {
  const sample = look(Number(start) + (index % 540) * 1000);
  add(server, sample);
  if (count !== 'Infinity') add('shared', sample);
  say(`${index + 1}\n`);
}
store.close();
