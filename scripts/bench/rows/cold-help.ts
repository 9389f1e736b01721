import path from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import { ROOT } from '../place.ts';
import { series, timed, type Row } from '../row.ts';

const RUNS = 15;
const COMMAND = path.join(ROOT, 'scripts', 'vivarium.mjs');

async function help(env: Record<string, string>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < RUNS; n += 1) {
    times.push(await timed(() => execa(process.execPath, [COMMAND, '--help'], { env })));
  }
  return times;
}

/** A new process each time, as a person starts it. */
export async function measure(): Promise<Row[]> {
  const reach = { p50: 300, text: 'p50 < 300 ms' };
  const fresh = await help({ NODE_DISABLE_COMPILE_CACHE: '1' });
  const usual = await help({});
  return [
    series('cold `vivarium --help`', 'ms', usual, reach),
    series('the same without the compile cache, as at the very first start', 'ms', fresh),
  ];
}
