/** A small git repository with tests that tell bugs, for the tests of synthesis. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const SHOP = `def price(count, each):
    """What count things cost; 5 less for more than 10."""
    total = count * each
    if count > 10:
        total = total - 5
    return total


def label(name):
    """The name in capitals, without blanks around it."""
    text = name.strip()
    text = text.upper()
    return text
`;
const TESTS = `import shop


def test_cost():
    assert shop.price(2, 3) == 6
    assert shop.price(11, 1) == 6


def test_tag():
    assert shop.label(' a ') == 'A'
`;

export interface ShopRepository {
  folder: string;
  /** Over names, modes, times and bytes of all there is, git's own files with it. */
  fingerprint(): Promise<string>;
  /** Commits all there is with this file. */
  commit(name: string, text: string): Promise<void>;
  dispose(): Promise<void>;
}

/** `shop.py` with its tests, committed, and a file that is not. */
export async function openShop(): Promise<ShopRepository> {
  const folder = await mkdtemp(path.join(tmpdir(), 'shop-'));
  await mkdir(path.join(folder, 'tests'));
  await writeFile(path.join(folder, 'shop.py'), SHOP);
  await writeFile(path.join(folder, 'tests/test_money.py'), TESTS);
  const git = (...words: string[]) => run('git', ['-C', folder, ...words]);
  const commit = async () => {
    await git('add', '.');
    await git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'change');
  };
  await git('init', '-q');
  await commit();
  await writeFile(path.join(folder, 'mine.txt'), 'not committed\n');
  return {
    folder,
    commit: async (name, text) => {
      await writeFile(path.join(folder, name), text);
      await commit();
    },
    fingerprint: () => fingerprint(folder),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

async function fingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder, { recursive: true })).toSorted()) {
    const file = path.join(folder, name);
    const found = await stat(file);
    const content = found.isFile() ? await readFile(file) : '';
    hash.update(`${name} ${found.mode} ${found.mtimeMs}\n`).update(content);
  }
  return hash.digest('hex');
}
