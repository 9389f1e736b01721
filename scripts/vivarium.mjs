#!/usr/bin/env node
/**
 * The `vivarium` command. The app needs the Node that package.json pins (better-sqlite3 crashes on
 * Node 20, and the sources run by type stripping): started by an older one, it starts itself again.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

const NEEDED_MAJOR = 24;
const EXIT_ENVIRONMENT = 3;
const ROOT = path.resolve(import.meta.dirname, '..');
const PINNED_NODE = path.join(ROOT, 'node_modules', '.bin', 'node');
const ENTRY = path.join(ROOT, 'src-main', 'doors', 'cli', 'main.ts');

/** Set for the second start: the file descriptor of a pipe that closes when the first one ends. */
const LAUNCHER_FD = 'VIVARIUM_LAUNCHER_FD';

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) await runHere();
else if (existsSync(PINNED_NODE)) startAgain();
else refuse();

async function runHere() {
  endWithLauncher();
  if (!existsSync(path.join(ROOT, 'node_modules'))) {
    refuse();
    return;
  }
  const [command, ...words] = process.argv.slice(2);
  if (command === 'app' && !words.includes('--help') && !words.includes('-h')) {
    // As `npm start`; in a package the command does it.
    (await import('./app.mjs')).startApp(words);
    return;
  }
  module.enableCompileCache(path.join(ROOT, '.cache', 'compile'));
  await import(ENTRY);
}

function refuse() {
  process.stderr.write(
    `vivarium needs its own packages with Node ${NEEDED_MAJOR}; this is Node ${process.versions.node}.\n` +
      `Install them: cd ${ROOT} && npm run bootstrap\n`,
  );
  process.exitCode = EXIT_ENVIRONMENT;
}

function startAgain() {
  const child = spawn(PINNED_NODE, [import.meta.filename, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, [LAUNCHER_FD]: '3' },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])) {
    process.on(signal, () => {
      // A key in the terminal reaches the child by itself; passing it on would count twice.
      const fromKeyboard = signal === 'SIGINT' || signal === 'SIGQUIT';
      if (!(fromKeyboard && isTerminalForeground())) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`${PINNED_NODE} does not start: ${error.message}\n`);
    refuse();
  });
  child.on('close', (code, signal) => {
    process.exitCode = code ?? 128 + os.constants.signals[signal ?? 'SIGTERM'];
    process.exit();
  });
}

/** Whether the terminal's keys go to our process group. */
function isTerminalForeground() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [, , group, , , terminalGroup] = fields;
    return group === terminalGroup;
  } catch {
    return process.stdin.isTTY;
  }
}

/** The first start may be killed without a chance to pass that on. */
function endWithLauncher() {
  const fd = process.env[LAUNCHER_FD];
  delete process.env[LAUNCHER_FD];
  if (fd === undefined) return;
  const pipe = new net.Socket({ fd: Number(fd) });
  pipe.on('error', () => {});
  pipe.on('close', () => process.kill(process.pid, 'SIGTERM'));
  pipe.resume();
  pipe.unref();
}
