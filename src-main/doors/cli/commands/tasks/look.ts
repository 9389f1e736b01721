import path from 'node:path';
import type { Console } from '../../console.ts';
import { jsonText } from '../../render/safe-text.ts';
import { renderCheck, renderPreflight, renderRefused, renderTasks } from '../../render/tasks.ts';
import { withCore } from '../../with-core.ts';
import { stoppable, tell } from './make.ts';

interface Json {
  json?: boolean;
}

/** Folders of a set that are no tasks, as the other lists name what was refused. */
function named(refused: readonly { folder: string; reason: string }[]) {
  return refused.map(({ folder, reason }) => ({ id: path.basename(folder), reason }));
}

/** `vivarium tasks list`. */
export async function listTasks(console: Console, folder: string, { json }: Json): Promise<number> {
  const set = await withCore(console, ({ core }) => core.tasks.list(path.resolve(folder)));
  console.out(json ? jsonText(set) : renderTasks(set.tasks, console.outColumns()));
  if (!json) console.err(renderRefused(named(set.refused)));
  return 0;
}

/** `vivarium tasks check`: 1 when a task is not fit for use. */
export async function checkTasks(
  console: Console,
  folder: string,
  options: Json & { only?: string[]; reruns?: number; seed?: number; keepFlaky?: boolean },
): Promise<number> {
  const { json, ...rest } = options;
  const result = await stoppable(console, ({ core, signal }) =>
    core.tasks.check(path.resolve(folder), {
      ...rest,
      signal,
      onTask: (check, done, total) => {
        if (json) tell(console, check.name, done, total);
        else console.out(renderCheck(check));
      },
    }),
  );
  if (json) console.out(jsonText(result));
  else console.err(renderRefused(named(result.refused)));
  return result.checks.every(({ ok }) => ok) && result.refused.length === 0 ? 0 : 1;
}

/** `vivarium tasks preflight`: 1 when a task cannot be run here. */
export async function preflight(console: Console, folder: string, { json }: Json): Promise<number> {
  const { rows, refused } = await withCore(console, ({ core }) =>
    core.tasks.preflight(path.resolve(folder)),
  );
  if (json) console.out(jsonText({ rows, refused }));
  else {
    console.out(renderPreflight(rows, console.outColumns()));
    console.err(renderRefused(named(refused)));
  }
  return rows.every(({ ready }) => ready) && refused.length === 0 ? 0 : 1;
}
