/** Step 3: a Docker daemon that answers, started if need be, also after a hard stop. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLeftovers, planRepair } from './daemon-repair.mjs';
import { connectionOf, ping } from './docker-socket.mjs';
import { readText } from './files.mjs';
import { EnvironmentProblem } from './report.mjs';
import { run, which } from './run.mjs';

const START_LIMIT_MS = 60_000;
const POLL_MS = 150;

/**
 * @typedef {object} DaemonPlace where a daemon keeps its things; another place is another daemon
 * @property {string} socket
 * @property {string} pidFile
 * @property {string} execRoot holds the pid file of its containerd
 * @property {string} logFile
 * @property {string[]} args more arguments for dockerd
 */

/** @type {DaemonPlace} */
export const SYSTEM_DAEMON = {
  socket: '/var/run/docker.sock',
  pidFile: '/var/run/docker.pid',
  execRoot: '/var/run/docker',
  logFile: '/var/log/vivarium-dockerd.log',
  args: [],
};

/** Tried in turn when the plain start fails with words that the pattern matches. */
const FALLBACKS = [
  // Workspaces have no network; a kernel without NAT is no reason to fail.
  {
    when: /iptables|nf_tables|bridge|firewall/i,
    args: ['--iptables=false', '--ip6tables=false', '--bridge=none'],
  },
  { when: /storage driver|graphdriver|overlay/i, args: ['--storage-driver=vfs'] },
];

/** @returns {Promise<boolean>} whether a Docker answers where DOCKER_HOST or the default points */
export async function dockerAnswers() {
  return (await ping(connectionOf(process.env['DOCKER_HOST'], SYSTEM_DAEMON.socket))) === 'ok';
}

/**
 * @param {import('./report.mjs').Reporter} reporter
 * @param {DaemonPlace} [place]
 */
export async function ensureDaemon(reporter, place = SYSTEM_DAEMON) {
  const step = reporter.begin('Docker daemon');
  const host = place === SYSTEM_DAEMON ? process.env['DOCKER_HOST'] : undefined;
  const answer = await ping(connectionOf(host, place.socket));
  if (answer === 'ok') {
    step.done('running');
    return;
  }
  refuseWhereWeMayNotStart(answer, host, place);
  const repaired = await repair(place, step);
  if (await waitUntilUp(place, undefined, repaired.wait ? START_LIMIT_MS : 0)) {
    step.done('was just starting');
    return;
  }
  step.update('starting');
  await start(place);
  step.done(
    ['started', ...repaired.done].join(', ') +
      (existsSync(place.logFile) ? `; log: ${place.logFile}` : ''),
  );
}

/** @param {import('./docker-socket.mjs').Answer} answer @param {string | undefined} host
 *  @param {DaemonPlace} place */
function refuseWhereWeMayNotStart(answer, host, place) {
  if (host !== undefined && host !== '') {
    throw new EnvironmentProblem(`no Docker answers at DOCKER_HOST=${host}`, [
      'Start it, or unset DOCKER_HOST to use the Docker of this machine.',
    ]);
  }
  if (answer === 'forbidden') {
    throw new EnvironmentProblem(`this user may not use ${place.socket}`, [
      'sudo usermod -aG docker "$USER"   (then log in again)',
    ]);
  }
  if (process.getuid?.() !== 0) {
    throw new EnvironmentProblem('Docker does not run, and this user is not root', [
      'sudo systemctl start docker   (or, without systemd: sudo dockerd &)',
    ]);
  }
}

/**
 * Removes what a killed daemon left in the way of the next one.
 *
 * @param {DaemonPlace} place @param {import('./report.mjs').Step} step
 * @returns {Promise<{ done: string[], wait: boolean }>}
 */
async function repair(place, step) {
  const plan = planRepair(findLeftovers(place));
  for (const file of plan.remove) {
    step.update(`removing stale ${file}`);
    rmSync(file, { force: true });
  }
  for (const pid of plan.end) {
    step.update(`ending orphaned containerd ${pid}`);
    await endProcess(pid);
  }
  const done = plan.remove.map((file) => `removed stale ${path.basename(file)}`);
  if (plan.end.length > 0) done.push('ended an orphaned containerd');
  return { done, wait: plan.wait };
}

/** @param {number} pid */
async function endProcess(pid) {
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (let waited = 0; waited < 5000 && existsSync(`/proc/${pid}`); waited += POLL_MS) {
      await sleep(POLL_MS);
    }
  }
}

/** @param {DaemonPlace} place */
async function start(place) {
  // A running systemd starts it once and for all, and ends it properly at shutdown.
  if (place === SYSTEM_DAEMON && existsSync('/run/systemd/system') && which('systemctl')) {
    await run('systemctl', ['start', 'docker']);
    if (await waitUntilUp(place, undefined, START_LIMIT_MS)) return;
    throw new EnvironmentProblem('systemd could not start Docker', ['journalctl -u docker -n 20']);
  }
  let failure = await startOnce(place, []);
  for (const fallback of FALLBACKS) {
    if (failure === undefined) return;
    if (fallback.when.test(failure)) failure = await startOnce(place, fallback.args);
  }
  if (failure === undefined) return;
  throw new EnvironmentProblem(`dockerd did not start: ${failure}`, [
    `The whole log: ${place.logFile}`,
    'Start it by hand to see more: dockerd',
  ]);
}

/**
 * @param {DaemonPlace} place @param {string[]} more
 * @returns {Promise<string | undefined>} why it failed, or undefined when it runs
 */
async function startOnce(place, more) {
  const program = which('dockerd');
  if (program === undefined) return 'dockerd is not installed';
  mkdirSync(path.dirname(place.logFile), { recursive: true });
  const log = openSync(place.logFile, 'w', 0o600);
  // Its own session and no pipe of ours: it outlives this process and whoever started it.
  const child = spawn(
    program,
    [
      ...['--host', `unix://${place.socket}`, '--pidfile', place.pidFile],
      ...['--exec-root', place.execRoot, ...place.args, ...more],
    ],
    { detached: true, stdio: ['ignore', log, log], cwd: '/' },
  );
  closeSync(log);
  child.on('error', () => {});
  child.unref();
  if (await waitUntilUp(place, child, START_LIMIT_MS)) return undefined;
  if (child.exitCode === null && child.pid !== undefined) await endProcess(child.pid);
  return firstError(readText(place.logFile) ?? '');
}

/**
 * @param {DaemonPlace} place
 * @param {import('node:child_process').ChildProcess | undefined} child stop waiting when it ends
 * @param {number} limitMs
 */
async function waitUntilUp(place, child, limitMs) {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    if ((await ping({ socketPath: place.socket })) === 'ok') return true;
    if (child !== undefined && (child.exitCode !== null || child.signalCode !== null)) return false;
    await sleep(POLL_MS);
  }
  return false;
}

/** @param {string} log @returns {string} the line that names the cause */
export function firstError(log) {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const cause =
    lines.find((line) => /^failed to |level=fatal/.test(line)) ??
    lines.find((line) => line.includes('level=error'));
  if (cause === undefined) return lines.at(-1) ?? 'it wrote no log';
  return /msg="((?:[^"\\]|\\.)*)"/.exec(cause)?.[1]?.replaceAll('\\"', '"') ?? cause;
}
