import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { differingLines } from '../../scripts/tadpole/edit.ts';
import { readAll, type BuggyRepository } from '../../scripts/tadpole/repositories.ts';
import { TEST_IMAGE } from '../support/workspaces.ts';
import { makeBugs, runScript, testFolder } from './scripts.ts';

interface Message {
  role: string;
  content: string;
  weight?: number;
  tool_calls?: { function: { name: string; arguments: string } }[];
}

/** The line that has the bug. */
function wrongLine({ files, module, good }: BuggyRepository): string {
  return differingLines(files[module] ?? '', good)[0]?.line ?? '';
}

test('the model’s own mistakes are made, shown with what they led to, not learnt, and put right', async () => {
  const folder = testFolder();
  const bugs = makeBugs(folder, 'known', 12, 30);
  const tasks = (await readAll<BuggyRepository>(bugs)).filter((task) => {
    const line = wrongLine(task);
    return task.files[task.module]?.split(line).length === 2;
  });
  const edits = tasks.map((task) => {
    const line = wrongLine(task);
    // In turn: one that the tool refuses, one that changes nothing, one that makes it worse.
    const old = tasks.indexOf(task) % 3 === 0 ? `${line} # not there` : line;
    const put = tasks.indexOf(task) % 3 === 1 ? line : `${/^ */u.exec(line)?.[0]}raise KeyError`;
    return { id: task.id, edits: [{ text: 'Line 99 is wrong.', old, new: put }] };
  });
  expect(edits.length).toBeGreaterThan(15);
  const [own, out] = [path.join(folder, 'own'), path.join(folder, 'out')];
  writeFileSync(own, edits.map((each) => `${JSON.stringify(each)}\n`).join(''));
  runScript('teach.ts', ['5', bugs, own, out], { TADPOLE_IMAGE: TEST_IMAGE });

  const lessons = await readAll<{ id: string; messages: Message[] }>(out);
  const refused = new Set(edits.filter((_, at) => at % 3 === 0).map(({ id }) => id));
  expect(lessons.filter(({ id }) => refused.has(id)).length).toBeGreaterThan(5);
  expect(lessons.filter(({ id }) => !refused.has(id)).length).toBeGreaterThan(5);
  for (const { id, messages } of lessons) {
    const at = messages.findIndex(({ content }) => content === 'Line 99 is wrong.');
    const [mistake, answer] = messages.slice(at);
    expect(mistake).toMatchObject({ role: 'assistant', weight: 0 });
    expect(answer?.content).toMatch(refused.has(id) ? /^ValueError: / : /^Edited /u);
    const fix = messages.find(({ content }) => content.startsWith('That edit was not right. '));
    expect(fix).toMatchObject({ weight: 1, tool_calls: [{ function: { name: 'Edit' } }] });
    const between = messages.slice(
      at + 2,
      messages.findIndex((each) => each === fix),
    );
    expect(between.map(({ role }) => role)).toEqual(refused.has(id) ? [] : ['assistant', 'tool']);
    if (!refused.has(id)) expect(between[1]?.content).toMatch(/^Exit code: [12]\n/u);
    const others = messages.filter((each) => each.role === 'assistant' && each !== mistake);
    expect(others.every(({ weight }) => weight === 1)).toBe(true);
  }
}, 240_000);
