import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appFolder } from '../../lib/index.ts';
import { exportRun } from './export-run.ts';
import { addCell, bashTurn, INFRA, lastTurn, testRun, textTurn, type TestRun } from './testing.ts';

const HARBOR = path.join(appFolder(), '.cache/harbor/python');
const SWE_BENCH = path.join(appFolder(), '.cache/swebench/venv/bin/python');
const SCRIPT = path.join(appFolder(), 'test/fixtures/exports/harbor_accepts.py');
const CRLF = Buffer.from('--- a/a.py\r\n+++ b/a.py\r\n@@ -1 +1 @@\r\n-x\r\n+y\u2028\r\n');

let test: TestRun;
let out: string;
beforeEach(() => {
  test = testRun();
  out = path.join(test.folder, 'out');
  addCell(test, { task: 'one', patch: CRLF, turns: [bashTurn('ls', 'a.py\ud800'), lastTurn('x')] });
  addCell(test, { task: 'two', grading: INFRA, exitReason: 'workspace_lost' });
  addCell(test, { task: 'one', entry: 1, turns: [textTurn('ls', 'a.py'), lastTurn('x')] });
});
afterEach(() => test.close());

function python(program: string, args: readonly string[]): unknown {
  const env = { PATH: process.env['PATH'], LITELLM_LOCAL_MODEL_COST_MAP: 'True' };
  const text = execFileSync(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(text.toString()) as unknown;
}

describe.skipIf(!existsSync(HARBOR))("Harbor's own models (scripts/harbor.sh)", () => {
  it('take our ATIF as it is, and convert our mini-swe-agent trajectories', async () => {
    const atif = path.join(out, 'atif');
    const mini = path.join(out, 'mini');
    await exportRun(test.source(), { format: 'atif', out: atif });
    await exportRun(test.source(), { format: 'mini-swe-agent', out: mini });
    const leaf = path.join(atif, '1-frog-x-leaf/one/seed-0/trajectory.json');
    const infra = path.join(atif, '1-frog-x-leaf/two/seed-0/trajectory.json');
    const inText = path.join(atif, '2-frog-x-r2egym/one/seed-0/trajectory.json');
    const converted = path.join(mini, '1-frog-x-leaf/one/one.traj.json');
    const begun = ['system', 'user'];
    const expected = (calls: object, result: string) => ({
      ...{ sources: [...begun, 'agent', 'agent'], calls: [calls], results: [result] },
      prompt_tokens: 200,
    });
    expect(python(HARBOR, [SCRIPT, leaf, infra, inText, converted])).toEqual({
      [leaf]: { version: 'ATIF-v1.8', ...expected({ command: 'ls' }, 'a.py\ufffd') },
      [infra]: {
        ...{ version: 'ATIF-v1.8', sources: begun, calls: [], results: [], prompt_tokens: null },
      },
      [inText]: { version: 'ATIF-v1.8', ...expected({ cmd: 'ls' }, 'a.py') },
      [converted]: { version: 'ATIF-v1.7', ...expected({ command: 'ls' }, 'a.py\ufffd') },
    });
  }, 120_000);
});

describe.skipIf(!existsSync(SWE_BENCH))("SWE-bench's own reader (scripts/swebench.sh)", () => {
  it('reads the predictions, the line ends of patches too', async () => {
    await exportRun(test.source(), { format: 'swe-bench', out });
    const script = path.join(test.folder, 'read.py');
    writeFileSync(
      script,
      `import json, sys
from swebench.harness.utils import get_predictions_from_file
print(json.dumps([get_predictions_from_file(f, "none", "test") for f in sys.argv[1:]]))`,
    );
    const rows = [
      {
        ...{ instance_id: 'one', model_name_or_path: 'frog x leaf' },
        model_patch: CRLF.toString(),
      },
      { instance_id: 'two', model_name_or_path: 'frog x leaf', model_patch: null },
    ];
    const file = (ending: string) => path.join(out, `1-frog-x-leaf.seed-0.${ending}`);
    expect(python(SWE_BENCH, [script, file('json'), file('jsonl')])).toEqual([rows, rows]);
  }, 120_000);
});
