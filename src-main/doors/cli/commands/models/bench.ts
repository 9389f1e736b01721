import type { Console } from '../../console.ts';
import { renderBench } from '../../render/bench.ts';
import { jsonText } from '../../render/safe-text.ts';
import { starting, type StartOptions } from './starting.ts';

/** `vivarium models bench`: starts the server when none runs, and stops what it started. */
export async function benchServer(
  console: Console,
  name: string,
  options: StartOptions,
): Promise<number> {
  const result = await starting(console, options, (core, start, doing) =>
    core.models.bench(name, { ...start, onProgress: doing }),
  );
  console.out(options.json ? jsonText(result) : renderBench(result));
  return 0;
}
