import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appFolder, nodeProgram, OWN_SCRIPTS, ownScript, type OwnScript } from './own-files.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const NAMES = Object.keys(OWN_SCRIPTS) as OwnScript[];

describe('files of our own', () => {
  let resources: string;
  let unpacked: string;

  beforeAll(() => {
    resources = mkdtempSync(path.join(os.tmpdir(), 'vivarium-own-'));
    unpacked = path.join(resources, 'app.asar.unpacked');
    mkdirSync(unpacked);
    writeFileSync(path.join(unpacked, 'package.json'), '{}');
  });
  afterAll(() => rmSync(resources, { recursive: true, force: true }));

  it.each(NAMES)('%s is there in the sources', (name) => {
    expect(existsSync(ownScript(name))).toBe(true);
    expect(ownScript(name)).toBe(path.join(ROOT, 'src-main', OWN_SCRIPTS[name]));
  });

  it('are files of their own in the build', () => {
    const chunk = path.join(ROOT, 'out', 'main', 'chunks', 'x-12345678.js');
    expect(ownScript('relay', chunk)).toBe(path.join(ROOT, 'out', 'main', 'relay.js'));
  });

  it('are those beside the archive in a package', () => {
    const chunk = path.join(resources, 'app.asar', 'out', 'main', 'chunks', 'x.js');
    expect(appFolder(path.dirname(chunk))).toBe(unpacked);
    expect(ownScript('guard', chunk)).toBe(path.join(unpacked, 'out', 'main', 'guard.js'));
  });

  it('run on this program, or in Electron on the Node that comes along', () => {
    const electron = { ...process.versions, electron: '45.3.4' };
    const name = process.platform === 'win32' ? 'node.exe' : 'node';
    expect(nodeProgram()).toBe(process.execPath);
    expect(nodeProgram(electron)).toBe(path.join(ROOT, 'node_modules', 'node', 'bin', name));
    expect(existsSync(nodeProgram(electron))).toBe(true);
    expect(nodeProgram(electron, unpacked)).toBe(path.join(resources, 'node', name));
  });
});
