import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAsset } from './read-asset.ts';
import { rendererFolder } from './renderer-folder.ts';
import { resolveAsset } from './resolve-asset.ts';
import { CONTENT_SECURITY_POLICY } from './security-headers.ts';

const ROOT = path.resolve('/srv/ui');

/** Paths that name no file of the pages, each for another reason. */
const REFUSED: [string, string][] = [
  ['empty', ''],
  ['no slash first', 'index.html'],
  ['a folder', '/assets/'],
  ['a name twice parted', '//index.html'],
  ['one up', '/../secret.txt'],
  ['up from within', '/assets/../../secret.txt'],
  ['the folder itself', '/./index.html'],
  ['encoded dots', '/%2e%2e/secret.txt'],
  ['encoded dots in capitals', '/%2E%2E/secret.txt'],
  ['encoded slash', '/..%2fsecret.txt'],
  ['encoded twice', '/%252e%252e/secret.txt'],
  ['backslashes', String.raw`/..\secret.txt`],
  ['encoded backslash', '/..%5csecret.txt'],
  ['NUL', '/index.html\0.js'],
  ['encoded NUL', '/index.html%00.js'],
  ['sibling with the same beginning', '/../ui-secret/secret.txt'],
  ['absolute', '//etc/passwd'],
  ['drive', '/C:/secret.txt'],
  ['other stream of NTFS', '/index.html::$DATA'],
  ['overlong UTF-8', '/%c0%ae%c0%ae/secret.txt'],
  ['fullwidth dots', '/\uff0e\uff0e/secret.txt'],
  ['hidden file', '/.env'],
  ['line break', '/index.html\r\nX: y'],
  ['blank at the end', '/index.html '],
  ['very long', `/${'a'.repeat(600)}`],
  ['scheme', '/file:///etc/passwd'],
];

describe('resolveAsset', () => {
  it.each(REFUSED)('refuses: %s', (_, urlPath) => {
    expect(resolveAsset(ROOT, urlPath)).toBeNull();
  });

  it('names files inside the folder', () => {
    expect(resolveAsset(ROOT, '/')).toBe(path.join(ROOT, 'index.html'));
    expect(resolveAsset(ROOT, '/assets/index-CHSs-2Kp.js')).toBe(
      path.join(ROOT, 'assets', 'index-CHSs-2Kp.js'),
    );
  });
});

describe('readAsset', () => {
  let base = '';
  let ui = '';

  beforeAll(() => {
    base = mkdtempSync(path.join(os.tmpdir(), 'assets-'));
    ui = path.join(base, 'ui');
    for (const folder of ['ui/assets', 'ui-secret', 'elsewhere']) {
      mkdirSync(path.join(base, folder), { recursive: true });
    }
    const files = ['ui/index.html', 'ui/assets/index-CHSs-2Kp.js', 'ui/notes.md', 'ui/plain.js'];
    for (const name of [...files, 'ui-secret/secret.txt', 'elsewhere/secret.txt']) {
      writeFileSync(path.join(base, name), name);
    }
    symlinkSync('../elsewhere/secret.txt', path.join(ui, 'link.txt'));
    symlinkSync('../elsewhere', path.join(ui, 'folder'));
    symlinkSync('plain.js', path.join(ui, 'inside.js'));
  });

  afterAll(() => rmSync(base, { recursive: true, force: true }));

  it.each(REFUSED)('gives nothing for: %s', async (_, urlPath) => {
    expect(await readAsset(ui, urlPath)).toBeNull();
  });

  it.each([
    ['a link out', '/link.txt'],
    ['through a linked folder', '/folder/secret.txt'],
    ['a link inside', '/inside.js'],
    ['another case', '/INDEX.HTML'],
    ['a folder', '/assets'],
    ['below a file', '/plain.js/x.js'],
    ['a type that is not served', '/notes.md'],
    ['what is not there', '/assets/gone.js'],
  ])('gives nothing for %s', async (_, urlPath) => {
    expect(await readAsset(ui, urlPath)).toBeNull();
  });

  it('gives bytes and type, and whether the name is for ever', async () => {
    const page = await readAsset(ui, '/');
    expect(page).toMatchObject({ type: 'text/html; charset=utf-8', hashed: false });
    expect(Buffer.from(page?.bytes ?? []).toString()).toBe('ui/index.html');
    expect(await readAsset(ui, '/assets/index-CHSs-2Kp.js')).toMatchObject({
      type: 'text/javascript; charset=utf-8',
      hashed: true,
    });
    expect(await readAsset(ui, '/plain.js')).toMatchObject({ hashed: false });
  });

  it('serves a folder that is itself reached by a link', async () => {
    const linked = path.join(base, 'linked');
    symlinkSync('ui', linked);
    expect(await readAsset(linked, '/plain.js')).not.toBeNull();
  });
});

it('the policy is the one of the brief, to the letter', () => {
  expect(CONTENT_SECURITY_POLICY).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
});

it('finds the built pages from the sources', () => {
  expect(rendererFolder()).toBe(path.resolve(import.meta.dirname, '../../../out/renderer'));
});
