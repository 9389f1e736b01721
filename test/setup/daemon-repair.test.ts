import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstError } from '../../scripts/setup/daemon.mjs';
import { findLeftovers, planRepair, readPidFile } from '../../scripts/setup/daemon-repair.mjs';
import { connectionOf, ping } from '../../scripts/setup/docker-socket.mjs';

const stale = { file: 'docker.pid', pid: 7, running: false };
const alive = { file: 'docker.pid', pid: 7, running: true };
const orphan = { file: 'containerd.pid', pid: 8, running: true };
const gone = { file: 'containerd.pid', pid: 8, running: false };
const nothing = { remove: [], end: [], wait: false };

describe('planRepair, when the socket is silent', () => {
  it.each([
    ['nothing was left', { dockerd: undefined, containerd: undefined }, nothing],
    ['a daemon is starting', { dockerd: alive, containerd: orphan }, { ...nothing, wait: true }],
    [
      'stale pid file',
      { dockerd: stale, containerd: undefined },
      { ...nothing, remove: ['docker.pid'] },
    ],
    [
      'killed daemon, containerd lives',
      { dockerd: stale, containerd: orphan },
      { remove: ['docker.pid', 'containerd.pid'], end: [8], wait: false },
    ],
    [
      'machine went down',
      { dockerd: stale, containerd: gone },
      { remove: ['docker.pid', 'containerd.pid'], end: [], wait: false },
    ],
    [
      'pid file of the daemon removed by hand',
      { dockerd: undefined, containerd: orphan },
      { remove: ['containerd.pid'], end: [8], wait: false },
    ],
  ])('%s', (_title, found, plan) => {
    expect(planRepair(found)).toEqual(plan);
  });
});

describe('readPidFile', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-pid-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const file = (text: string) => {
    const name = path.join(folder, 'x.pid');
    writeFileSync(name, text);
    return name;
  };

  it('takes a process for the program only if it has its name', () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    const name = file(`${child.pid}\n`);
    expect(readPidFile(name, 'sleep')).toEqual({ file: name, pid: child.pid, running: true });
    expect(readPidFile(name, 'dockerd')).toEqual({ file: name, pid: child.pid, running: false });
    child.kill('SIGKILL');
  });

  it('bears an empty file, words, and a number that no process has', () => {
    expect(readPidFile(file(''), 'dockerd')).toMatchObject({ pid: undefined, running: false });
    expect(readPidFile(file('x'), 'dockerd')).toMatchObject({ pid: undefined, running: false });
    expect(readPidFile(file('4194304'), 'dockerd')).toMatchObject({ pid: 4194304, running: false });
    expect(readPidFile(path.join(folder, 'none'), 'dockerd')).toBeUndefined();
  });

  it('finds both pid files where the daemon keeps them', () => {
    mkdirSync(path.join(folder, 'exec', 'containerd'), { recursive: true });
    writeFileSync(path.join(folder, 'exec', 'containerd', 'containerd.pid'), '4194304');
    const pidFile = file('4194303');
    const found = findLeftovers({ pidFile, execRoot: path.join(folder, 'exec') });
    expect(found.dockerd).toMatchObject({ pid: 4194303, running: false });
    expect(found.containerd).toMatchObject({ pid: 4194304, running: false });
  });
});

describe('connectionOf', () => {
  it.each([
    [undefined, { socketPath: '/default' }],
    ['', { socketPath: '/default' }],
    ['unix:///run/user/1000/docker.sock', { socketPath: '/run/user/1000/docker.sock' }],
    ['tcp://127.0.0.1:2375', { host: '127.0.0.1', port: 2375 }],
    ['tcp://[::1]:2375', { host: '::1', port: 2375 }],
    ['ssh://someone@there', undefined],
  ])('%s', (value, connection) => {
    expect(connectionOf(value, '/default')).toEqual(connection);
  });

  it('a socket that nobody listens on is silent', async () => {
    expect(await ping({ socketPath: '/nowhere/docker.sock' })).toBe('silent');
  });
});

describe('firstError', () => {
  it('picks the line that names the cause', () => {
    const log = [
      'time="x" level=info msg="Starting up"',
      'time="x" level=warning msg="old kernel"',
      'time="x" level=error msg="cannot \\"do\\" it"',
    ];
    expect(firstError(log.join('\n'))).toBe('cannot "do" it');
    expect(firstError([...log, 'failed to start daemon: no space left'].join('\n'))).toBe(
      'failed to start daemon: no space left',
    );
    expect(firstError('')).toBe('it wrote no log');
  });
});
