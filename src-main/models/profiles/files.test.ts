import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { lstat, mkdir, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProfile } from './create.ts';
import {
  ensureProfile,
  exportProfile,
  importNotes,
  importProfile,
  profileFile,
  readProfile,
  replaceProfile,
  writeProfile,
} from './files.ts';
import { applyOverrides } from './overrides.ts';
import { PRESET_NAMES } from './presets.ts';
import { factsFor, modelFor } from './testing.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'vivarium-profiles-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const model = modelFor(factsFor());
const textOf = (name = 'frog') => readFileSync(profileFile(home, name), 'utf8');

/** Writes a profile by hand, as a person would. */
async function byHand(text: string, name = 'frog'): Promise<void> {
  await mkdir(path.dirname(profileFile(home, name)), { recursive: true });
  writeFileSync(profileFile(home, name), text);
}

test('a new profile is written with every member and with why each is what it is', async () => {
  const profile = await ensureProfile(home, model);
  expect(profile).toEqual(createProfile(model));
  expect(await readProfile(home, 'frog')).toEqual(profile);
  const text = textOf();
  expect(text).toMatch(/^# FrogNano-4B: Qwen3\.5-4B \(hybrid\)/);
  expect(text).toContain('\npreset: frognano-4b\n');
  expect(text).toContain('# Steps of the published evaluation');
  expect(text).not.toContain('match:');
  expect(text).not.toContain('name:');
  expect(statSync(profileFile(home, 'frog')).mode & 0o777).toBe(0o600);
  expect(await readdir(path.dirname(profileFile(home, 'frog')))).toEqual(['profile.yaml']);
});

test.each(PRESET_NAMES)('%s goes through export and import unchanged', async (preset) => {
  const profile = importProfile(`preset: ${preset}`, 'frog');
  await writeProfile(home, profile);
  const text = await exportProfile(home, 'frog');
  expect(importProfile(text, 'frog')).toEqual(profile);
  expect(importProfile(text, 'other')).toEqual({ ...profile, name: 'other' });
  expect(text).not.toMatch(/: \//);
});

test('a change keeps comments, order and everything else as the person wrote it', async () => {
  await byHand(`# My notes
steps: 40   # enough for me
contextTokens: 32k # fits the card

sampling: # tuned
  topK: 10 # narrow
  temperature: 0.3
preset: frognano-4b
flags:
  --enforce-eager: true # saves a minute
`);
  const profile = await readProfile(home, 'frog');
  expect(profile).toMatchObject({ steps: 40, contextTokens: 32_768, engine: 'vllm' });
  await writeProfile(home, applyOverrides(profile, { steps: 60, 'sampling.temperature': 0.5 }));
  expect(textOf()).toBe(`# My notes
steps: 60 # enough for me
contextTokens: 32k # fits the card

sampling:
  # tuned
  topK: 10 # narrow
  temperature: 0.5
preset: frognano-4b
flags:
  --enforce-eager: true # saves a minute
`);
  const before = textOf();
  await writeProfile(home, await readProfile(home, 'frog'));
  expect(textOf()).toBe(before);

  const more = { threads: 2, 'flags.--swap-space': 4, 'flags.--enforce-eager': null };
  await writeProfile(home, applyOverrides(await readProfile(home, 'frog'), more));
  expect(await readProfile(home, 'frog')).toMatchObject({
    ...{ threads: 2, flags: { '--swap-space': 4 }, steps: 60 },
  });
  expect(textOf()).toContain('steps: 60 # enough for me');
});

test('comments stay when another kind of value takes the place; empty maps are maps', async () => {
  await byHand('source: auto # ours\nflags: # none yet\nenvironment: {A: x} # one\n');
  const profile = await readProfile(home, 'frog');
  expect(profile).toMatchObject({ flags: {}, environment: { A: 'x' } });
  const changes = { source: { venv: '/opt/vllm' }, 'flags.--seed': 1, 'environment.A': null };
  await writeProfile(home, applyOverrides(profile, changes));
  expect(textOf()).toBe(
    'source:\n  # ours\n  venv: /opt/vllm\nflags:\n  # none yet\n  --seed: 1\nenvironment: {} # one\n',
  );
});

test('members that an anchor ties together are left to the person', async () => {
  const text = 'contextTokens: &window 32k\ninputTokens: *window\n';
  await byHand(text);
  const profile = await readProfile(home, 'frog');
  expect(profile).toMatchObject({ contextTokens: 32_768, inputTokens: 32_768 });
  await expect(
    writeProfile(home, applyOverrides(profile, { contextTokens: 1024 })),
  ).rejects.toMatchObject({ message: expect.stringContaining('uses anchors') });
  expect(textOf()).toBe(text);
  await writeProfile(home, applyOverrides(profile, { inputTokens: 1024 }));
  expect(await readProfile(home, 'frog')).toMatchObject({
    ...{ contextTokens: 32_768, inputTokens: 1_024 },
  });
});

test('an export of a short profile is complete: its preset may change later', async () => {
  await byHand('preset: frogmini-14b\nsteps: 20 # few\n');
  const text = await exportProfile(home, 'frog');
  expect(text).toContain('steps: 20 # few');
  expect(text).toContain('inputTokens: 46000');
  expect(importProfile(text, 'frog')).toEqual(await readProfile(home, 'frog'));
});

test('an imported text is stored as it is, and what it starts is told', async () => {
  const text = `preset: plain # theirs
source: {container: registry.local/vllm:0.33}
chatTemplate: /srv/templates/frog.jinja
scaffold: /srv/scaffolds/mine.yaml
environment: {LD_PRELOAD: /srv/lib.so}`;
  const profile = await replaceProfile(home, 'frog', text);
  expect(textOf()).toBe(`${text}\n`);
  expect(importNotes(profile)).toEqual([
    'starts the container image registry.local/vllm:0.33',
    'takes the chat template from /srv/templates/frog.jinja',
    'uses the scaffold file /srv/scaffolds/mine.yaml',
    'hands the engine LD_PRELOAD',
  ]);
  expect(importNotes(importProfile('source: {program: vllm}', 'x'))).toEqual([
    'starts the program vllm',
  ]);
  expect(importNotes(createProfile(model))).toEqual([]);
  await expect(replaceProfile(home, 'frog', 'steps: x')).rejects.toThrow('steps (line 1)');
  expect(textOf()).toBe(`${text}\n`);
});

test('a file that cannot be read is not overwritten', async () => {
  await byHand('steps: 40\nsteps: 50\n');
  await expect(writeProfile(home, createProfile(model))).rejects.toMatchObject({
    code: 'profile_invalid',
    message: expect.stringContaining('line 2: Map keys must be unique'),
  });
  expect(textOf()).toBe('steps: 40\nsteps: 50\n');
  await expect(readProfile(home, 'nobody')).rejects.toMatchObject({
    code: 'profile_invalid',
    message: expect.stringContaining('nobody has no profile'),
  });
});

test('a link to a profile elsewhere stays a link', async () => {
  const elsewhere = path.join(home, 'mine.yaml');
  writeFileSync(elsewhere, 'steps: 40\n');
  await mkdir(path.dirname(profileFile(home, 'frog')), { recursive: true });
  await symlink(elsewhere, profileFile(home, 'frog'));
  await writeProfile(home, applyOverrides(await readProfile(home, 'frog'), { steps: 41 }));
  expect((await lstat(profileFile(home, 'frog'))).isSymbolicLink()).toBe(true);
  expect(readFileSync(elsewhere, 'utf8')).toBe('steps: 41\n');
  expect(existsSync(`${elsewhere}.tmp`)).toBe(false);
});
