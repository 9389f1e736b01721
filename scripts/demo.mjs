#!/usr/bin/env node
/**
 * The main job with a real model, from nothing: set-up, then a small Python package with a real
 * mistake in it is fixed by the demonstration model, verified and exported.
 *
 *   npm run demo                        the demonstration model
 *   npm run demo -- --model gguf:FILE   any other; every flag of `vivarium fix` is passed on
 *
 * Exit codes are those of `vivarium fix`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { bootstrap } from './bootstrap.mjs';
import { ROOT } from './setup/files.mjs';
import { createReporter, explain } from './setup/report.mjs';

const DEMO = path.join(ROOT, 'resources', 'demo');
const WORK = path.join(ROOT, '.cache', 'demo');
const MODEL = path.join(ROOT, 'resources', 'models', 'tadpole.gguf');
const ATTEMPTS = '4';

/** @param {string} line */
const say = (line) => process.stderr.write(`${line}\n`);

/** Makes a git repository of a fresh copy of the demo package. @returns {{ repo: string, issue: string }} */
function prepareRepository() {
  const name = readdirSync(DEMO).find((entry) => statSync(path.join(DEMO, entry)).isDirectory());
  if (name === undefined) throw new Error('resources/demo holds no package');
  const repo = path.join(WORK, name);
  rmSync(repo, { recursive: true, force: true });
  mkdirSync(repo, { recursive: true });
  cpSync(path.join(DEMO, name), repo, { recursive: true });
  const issue = path.join(DEMO, `${name}.issue.txt`);
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const who = ['-c', 'user.name=Vivarium demo', '-c', 'user.email=demo@localhost'];
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all'],
    [...who, 'commit', '--quiet', '--message=The package as it is'],
  ]) {
    const { status, stderr } = spawnSync('git', args, { cwd: repo, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
  }
  return { repo, issue };
}

/** @param {string[]} args @returns {number} */
function vivarium(args) {
  const program = path.join(ROOT, 'scripts', 'vivarium.mjs');
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' });
  return status ?? 3;
}

/** @param {string[]} extra flags of `vivarium fix` that replace the demo's own */
function demo(extra) {
  const { repo, issue } = prepareRepository();
  const own = !extra.includes('--model');
  const out = path.join(WORK, 'patches');
  rmSync(out, { recursive: true, force: true });
  say('');
  say('Demonstration');
  say(`  repository  ${repo}`);
  say(`  issue       ${readFileSync(issue, 'utf8').trim()}`);
  if (own) {
    say('  model       tadpole, 6 MB: a demonstration model that knows small Python functions,');
    say(
      `              not a tool for real work. Its attempts are real and can fail; up to ${ATTEMPTS} are made.`,
    );
  }
  say('');
  const model = own ? ['--model', `gguf:${MODEL}`, '--scaffold', 'tadpole'] : [];
  const task = ['--repo', repo, '--issue-file', issue, '--verify', 'python3 -m pytest -q'];
  const code = vivarium(['fix', ...task, ...model, '--attempts', ATTEMPTS, '--out', out, ...extra]);
  showPatch(out, code);
  return code;
}

/** @param {string} out @param {number} code */
function showPatch(out, code) {
  const patch = exported(out);
  // Wrong usage and a missing server are no attempt, and `fix` has told them already.
  if (patch === undefined && code !== 1) return;
  say('');
  if (patch === undefined) {
    say('No patch this time: small models fail, and this was a real attempt. Run it again.');
    return;
  }
  const session = path.basename(patch, '.patch').split('-').at(-1) ?? '';
  vivarium(['show', session, '--patch']);
  say('');
  say(
    code === 0
      ? `The verified patch lies in ${patch}`
      : `A patch that did not pass lies in ${patch}`,
  );
  say(`See each step with: npx vivarium show ${session} --steps`);
}

/** @param {string} out @returns {string | undefined} */
function exported(out) {
  try {
    const name = readdirSync(out).find((entry) => entry.endsWith('.patch'));
    return name === undefined ? undefined : path.join(out, name);
  } catch {
    return undefined;
  }
}

const reporter = createReporter();
try {
  await bootstrap('demo', reporter);
  process.exitCode = demo(process.argv.slice(2));
} catch (error) {
  process.exitCode = explain(error, reporter);
}
