import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  file,
  link,
  openBench,
  SMALL_LIMITS,
  textOf,
  type Bench,
} from '../../../test/support/workspaces.ts';
import { listOwned, type SeedEntry, type Workspace } from '../index.ts';

/** What tasks ask of a workspace besides a repository: folders for verifiers, a writable system. */
let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.dispose());

async function* entries(...list: SeedEntry[]) {
  yield* list;
}

async function sh(workspace: Workspace, command: string): Promise<string> {
  const result = await workspace.run({ command, shell: 'sh', timeoutMs: 20_000 });
  return textOf(result.stdout);
}

async function remains(): Promise<number> {
  const owned = await listOwned(bench.engine, bench.home);
  return owned.containers.length + owned.volumes.length;
}

describe('scratch folders', () => {
  test('are writable, bounded, filled by the engine, attested, and gone with the workspace', async () => {
    const workspace = await bench.open({ scratch: ['/logs', '/tests'] });
    await workspace.place('/tests', entries(file('test.sh', '#!/bin/sh\necho ran\n', true)));
    await workspace.place('/tests', entries(file('deep/er/data', 'x'), link('ln', 'deep')));
    expect(await sh(workspace, 'cd /tests; ./test.sh; cat ln/er/data; stat -c %u:%a .')).toBe(
      'ran\nx1000:755\n',
    );
    expect(await sh(workspace, 'mkdir /logs/verifier && echo 1 >/logs/verifier/r && echo ok')).toBe(
      'ok\n',
    );
    const full = 'rm -r /logs/verifier; head -c 200000000 /dev/zero >/logs/x; stat -c %s /logs/x';
    expect(await sh(workspace, full)).toBe(`${SMALL_LIMITS.diskBytes / 2}\n`);
    expect((await workspace.exportTree()).written).toEqual([]);
    const mounts = workspace.attestation.rows.filter(({ check }) =>
      /^mount \/(logs|te)/.test(check),
    );
    expect(mounts.map(({ found }) => found)).toEqual(['rw,nosuid,nodev', 'rw,nosuid,nodev']);
    await expect(workspace.place('/etc', entries())).rejects.toMatchObject({
      code: 'workspace_path',
    });
    await workspace.close();
    expect(await remains()).toBe(0);
  });

  test('W05 a placed path cannot leave its folder, by `..` or by a planted link', async () => {
    const workspace = await bench.open({ scratch: ['/tests'], seed: [file('mine', 'kept')] });
    await expect(
      workspace.place('/tests', entries(file('../workspace/mine', 'taken'))),
    ).rejects.toMatchObject({ code: 'workspace_failed' });
    await sh(workspace, 'ln -s /workspace/mine /tests/test.sh');
    await workspace.place('/tests', entries(file('test.sh', 'new')));
    expect(await sh(workspace, 'cat /workspace/mine; cat /tests/test.sh')).toBe('keptnew');
    await workspace.close();
  });
});

test('P06 links that lead out of the repository are placed as they are', async () => {
  const links = [link('up', '../..'), link("deep/it's", '../../etc/hosts'), link('-a', '/../etc')];
  const workspace = await bench.open({ seed: [file('a', 'x'), ...links] });
  expect(await sh(workspace, "readlink ./-a deep/it\\'s up")).toBe(
    '/../etc\n../../etc/hosts\n../..\n',
  );
  expect((await workspace.exportTree()).written).toEqual([]);
  await workspace.close();
  const odd = { ...link('odd', '../x'), content: Buffer.from('../\xe9', 'latin1') };
  await expect(bench.open({ seed: [odd] })).rejects.toMatchObject({ code: 'workspace_failed' });
});

test('ending all processes leaves files and a workspace that goes on', async () => {
  const workspace = await bench.open();
  const hidden = 'env -i setsid sh -c "while :; do date >/tmp/alive; sleep 0.1; done"';
  await sh(workspace, `${hidden} >/dev/null 2>&1 & sleep 60 & echo kept > file`);
  const sleeping = 'grep -lsx "sleep" /proc/[0-9]*/comm';
  // The answer above may come before the children that the shell made have become `sleep`.
  const wait = `until [ $(${sleeping} | wc -l) -ge 2 ] && [ -e /tmp/alive ]; do :; done; echo on`;
  expect(await sh(workspace, wait)).toBe('on\n');
  await workspace.endProcesses();
  const after = `${sleeping}; rm /tmp/alive; sleep 0.5; ls /tmp; cat file`;
  expect(await sh(workspace, after)).toBe('kept\n');
  await workspace.writeFile('other', Buffer.from('x'));
  expect((await workspace.exportTree()).written.map(({ entry }) => entry.path).toSorted()).toEqual([
    'file',
    'other',
  ]);
  await workspace.close();
});

describe('a workspace whose image can be changed', () => {
  test('runs as the owner of the image without any capability, and says so', async () => {
    const workspace = await bench.open({ rootfs: 'writable', root: '/app', scratch: ['/logs'] });
    expect(await sh(workspace, 'id -u; echo $HOME; echo x >/etc/made && cat /etc/made')).toBe(
      '0\n/root\nx\n',
    );
    expect(await sh(workspace, 'cd /app && echo y >f && stat -c %u f /logs')).toBe('0\n0\n');
    const rows = new Map(workspace.attestation.rows.map((row) => [row.check, row.found]));
    expect(rows.get('ReadonlyRootfs')).toBe('false');
    expect(rows.get('writes to /')).toBe('yes');
    expect(rows.get('CapEff')).toBe('0000000000000000');
    expect(rows.get('Uid')).toBe('0\t0\t0\t0');
    expect(await sh(workspace, 'mount -t tmpfs n /mnt 2>/dev/null || echo no; kill -9 -1')).toBe(
      'no\n',
    );
    expect(await sh(workspace, 'echo goes on')).toBe('goes on\n');
    await workspace.close();
    expect(await remains()).toBe(0);
  });

  test('is no way out: kernel, devices, limits and the keeper stay out of reach', async () => {
    const workspace = await bench.open({ rootfs: 'writable' });
    const attempts = [
      ...['mount -t tmpfs none /mnt', 'umount /proc', 'mknod /x b 8 0', 'chroot / true'],
      ...[
        'unshare -n true',
        'kill -9 1',
        'cat /proc/1/environ',
        'ls /proc/1/root/',
        'chown 1 /etc',
      ],
      ...[
        'nsenter -t 1 -m true',
        'hostname pwned',
        'setpriv --reuid 65534 true',
        'cat /proc/kcore',
      ],
      ...['echo b >/proc/sysrq-trigger', 'echo x >/proc/sys/kernel/core_pattern'],
      ...['echo 0 >/sys/fs/cgroup/cgroup.procs', 'echo x >/sys/kernel/x', 'cat /dev/mem'],
      ...[
        'echo max >/sys/fs/cgroup/memory.max',
        'ulimit -f unlimited',
        'python3 -m http.server -b 1.1.1.1',
      ],
    ];
    for (const attempt of attempts) {
      const { exitCode } = await workspace.run({
        command: `(${attempt}) >/dev/null 2>&1`,
        shell: 'sh',
        timeoutMs: 10_000,
      });
      expect([attempt, exitCode === 0]).toEqual([attempt, false]);
    }
    await workspace.close();
  });

  test('B12 cannot fill the disk of the machine', async () => {
    const workspace = await bench.open({
      rootfs: 'writable',
      limits: { diskBytes: 16 * 2 ** 20 },
    });
    const one = await workspace.run({
      command: 'head -c 40000000 /dev/zero >/var/one; stat -c %s /var/one',
      shell: 'sh',
      timeoutMs: 20_000,
    });
    expect(textOf(one.stdout)).toBe(`${16 * 2 ** 20}\n`);
    const many = workspace.run({
      command: 'for i in 1 2 3; do head -c 10000000 /dev/zero >/var/f$i; done; sleep 60',
      shell: 'sh',
      timeoutMs: 60_000,
    });
    await expect(many).rejects.toMatchObject({
      code: 'workspace_lost',
      message: expect.stringContaining('more than its disk limit of 16.0 MiB') as string,
    });
    await workspace.close();
    expect(await remains()).toBe(0);
  });
});
