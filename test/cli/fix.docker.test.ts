import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sessionResultSchema } from '../../src-main/contract/index.ts';
import {
  call,
  COMMAND,
  DONE,
  FIX,
  fixWords,
  git,
  leftovers,
  makePlace,
  READ,
  removePlace,
  run,
  script,
  sessionsOf,
  type Place,
} from './command.ts';

let place: Place;

beforeEach(async () => {
  place = await makePlace();
});

afterEach(async () => {
  const left = await leftovers(place);
  await removePlace(place);
  if (left.length > 0) throw new Error(`left behind: ${left.join(' ')}`);
});

const VERIFY = ['--verify', 'python3 -m pytest -q'];

describe('vivarium fix', () => {
  test('a verified patch ends with 0: result on stdout, a line per step on stderr', async () => {
    const out = path.join(place.folder, 'out');
    const model = await script(place, READ, FIX, DONE);
    const { code, stdout, stderr } = await run(
      place,
      ...fixWords(place, model, ...VERIFY, '--out', out),
    );
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });

    const lines = stdout.split('\n');
    expect(lines[0]).toBe('Fixed and verified.');
    const file = lines[1]?.slice('Patch     '.length) ?? '';
    expect(path.dirname(file)).toBe(out);
    expect(lines[2]).toBe('Change    +1 -1 in 1 file');
    expect(lines[3]).toBe('          M total.py  +1 -1');
    expect(lines.at(-2)).toBe(`Next      git -C ${place.repository} apply ${file}`);
    expect(await git(place.repository, 'status', '--porcelain')).toBe('');
    await git(place.repository, 'apply', '--check', file);

    const steps = stderr.split('\n').filter((line) => line.startsWith('[1] step '));
    expect(steps.map((line) => line.split(' | ')[0])).toEqual([
      '[1] step 1: Read total.py',
      '[1] step 2: Edit total.py',
      '[1] step 3: answers',
    ]);
    expect(stderr).toMatch(/^[\n\x20-\x7e]*$/);
  });

  test('--json prints one object of the contract and nothing else', async () => {
    const model = await script(place, FIX, DONE);
    const { code, stdout } = await run(place, ...fixWords(place, model, ...VERIFY, '--json'));
    expect(code).toBe(0);
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
    const result = sessionResultSchema.parse(JSON.parse(stdout));
    expect(result).toMatchObject({
      outcome: 'verified',
      attempts: [{ number: 1, seed: 1, exitReason: 'agent', steps: 2, verified: true }],
      patch: { insertions: 1, deletions: 1, appliesToWorkingTree: true },
      verification: { command: 'python3 -m pytest -q', passed: true },
    });
    // Without --out: in the data folder, never in the current one.
    expect(path.dirname(result.patch?.file ?? '')).toBe(path.join(place.home, 'patches'));
  });

  test('P08: no patch ends with 1 and says so', async () => {
    const model = await script(place, READ, { content: 'All is well.' });
    const { code, stdout } = await run(place, ...fixWords(place, model));
    expect([code, stdout.split('\n')[0]]).toEqual([1, 'No patch: nothing was changed.']);
    expect(stdout).not.toContain('.patch');
    expect(await sessionsOf(place)).toMatchObject([{ state: 'no_patch' }]);
  });

  test('a patch that does not pass the verification ends with 1, and is kept', async () => {
    const wrong = call('Edit', {
      file_path: 'total.py',
      old_string: 'sum(items) + 1',
      new_string: 'sum(items) + 2',
    });
    const model = await script(place, { content: '', tool_calls: [wrong] }, DONE);
    const { code, stdout } = await run(place, ...fixWords(place, model, ...VERIFY));
    expect([code, stdout.split('\n')[0]]).toEqual([
      1,
      'There is a patch, but it did not pass the verification.',
    ]);
    const file = /^Patch {5}(.*)$/m.exec(stdout)?.[1] ?? '';
    expect(await readFile(file, 'utf8')).toContain('+    return sum(items) + 2\n');
  });

  test('--attempts: seeds are tried until one is verified', async () => {
    const model = await script(
      place,
      { seed: 5 },
      { content: 'I give up.' },
      { seed: 6 },
      FIX,
      DONE,
      { seed: 7 },
      DONE,
    );
    const { code, stdout, stderr } = await run(
      place,
      ...fixWords(place, model, ...VERIFY, '--attempts', '3', '--seed', '5', '--json'),
    );
    const result = sessionResultSchema.parse(JSON.parse(stdout));
    expect([code, result.attempts.map(({ seed, verified }) => [seed, verified])]).toEqual([
      0,
      [
        [5, null],
        [6, true],
      ],
    ]);
    expect(stderr).toContain('[2] attempt 2 begins (seed 6)\n');
  });
});

describe('P10: hostile text from issue, repository and model', () => {
  const HOSTILE = 'x\x1b[2J\x1b]0;owned\x07\u202e\u009b31m';

  test('reaches neither the terminal nor a pipe as it is', async () => {
    const name = 'a\x1b[2J\u202e.py';
    const writing = call('Write', { file_path: name, content: `# ${HOSTILE}\n` });
    const running = call('Bash', { command: `printf '${HOSTILE}'` });
    const model = await script(
      place,
      { content: HOSTILE, reasoning_content: HOSTILE, tool_calls: [writing, running] },
      { content: HOSTILE },
    );
    const issue = path.join(place.folder, 'issue.md');
    await writeFile(issue, `${HOSTILE}\n`);
    const fixed = await run(place, ...fixWords(place, model, '--issue-file', issue));
    expect(fixed.code).toBe(0);
    const [session] = await sessionsOf(place);
    const id = session?.sessionId ?? '';
    const shown = await Promise.all([
      run(place, 'sessions'),
      run(place, 'sessions', '--json'),
      run(place, 'show', id),
      run(place, 'show', id, '--steps'),
      run(place, 'show', id, '--json'),
    ]);
    for (const { code, stdout, stderr } of [fixed, ...shown]) {
      expect([code, stdout === '']).toEqual([0, false]);
      // eslint-disable-next-line no-control-regex -- finding control characters is the point
      expect(stdout + stderr).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    }
    expect(fixed.stdout).toContain('A a\\x1b[2J\\u{202e}.py');
    // The exported bytes are those the model wrote.
    const { stdout } = await run(place, 'show', id, '--patch');
    expect(stdout).toContain(`+# ${HOSTILE}\n`);
  });

  test('and a live terminal sees only the controls that Vivarium draws with', async () => {
    const model = await script(
      place,
      { ...READ, content: HOSTILE, reasoning_content: HOSTILE, delay_ms: 300 },
      { content: '', tool_calls: [call('Bash', { command: `echo '${HOSTILE}'; sleep 1` })] },
      FIX,
      { content: HOSTILE },
    );
    const words = [process.execPath, COMMAND, ...fixWords(place, model)];
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const { stdout } = await promisify(execFile)('script', ['-qec', quoted, '/dev/null'], {
      env: { ...process.env, VIVARIUM_HOME: place.home, TERM: 'xterm' },
    });
    // eslint-disable-next-line no-control-regex -- finding control characters is the point
    const text = stdout.replace(/\x1b\[(?:\?7[hl]|\d+A|[JK])|\r/g, '');
    expect(stdout.length).toBeGreaterThan(text.length);
    // eslint-disable-next-line no-control-regex -- finding control characters is the point
    expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(text).toContain('There is a patch; no verification was asked for.\n');
  });
});
