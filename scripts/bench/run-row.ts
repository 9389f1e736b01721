import process from 'node:process';
import type { Row, Skipped } from './row.ts';

/** What a measurement of `rows/` exports; it runs in a process of its own. */
interface Measurement {
  measure(): Promise<(Row | Skipped)[]>;
}

const name = process.argv[2] ?? '';
const { measure } = (await import(`./rows/${name}.ts`)) as Measurement;
process.send?.(await measure());
process.disconnect?.();
