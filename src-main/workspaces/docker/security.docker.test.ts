import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BUSYBOX_IMAGE,
  openBench,
  TEST_IMAGE,
  textOf,
  type Bench,
} from '../../../test/support/workspaces.ts';
import type { Workspace } from '../types.ts';

/**
 * Tries to break out, or to lie to the host. Known limit, stated rather than hidden: a process of
 * the same user can write into the channel's own pipe; the last test shows what that leads to.
 */
describe.each([TEST_IMAGE, BUSYBOX_IMAGE])('security of a workspace from %s', (image) => {
  let bench: Bench;
  let workspace: Workspace;

  beforeAll(async () => {
    bench = await openBench();
    workspace = await bench.open({ image });
  });
  afterAll(() => bench.dispose());

  const sh = (command: string) => workspace.run({ command, shell: 'sh', timeoutMs: 20_000 });
  const out = async (command: string) => textOf((await sh(command)).stdout);

  test('there is no network: only loopback, no route, no name service', async () => {
    expect(await out('ls /sys/class/net')).toBe('lo\n');
    expect(await out('cat /proc/net/route | wc -l')).toMatch(/^\s*1\n$/);
    expect(await out('(echo >/dev/tcp/1.1.1.1/53) 2>/dev/null && echo reached; true')).toBe('');
  });

  test('the system, the kernel and the devices cannot be written', async () => {
    const places = [
      '/x',
      '/etc/passwd',
      '/usr/x',
      '/bin/sh',
      '/sys/x',
      '/proc/sys/kernel/hostname',
      '/proc/sysrq-trigger',
      '/proc/sys/kernel/core_pattern',
      '/sys/fs/cgroup/memory/tasks',
      '/sys/fs/cgroup/cgroup.procs',
      '/dev/mem',
      '/dev/sda',
      '/dev/x',
    ];
    for (const place of places) {
      expect([place, await out(`(echo x >${place}) 2>/dev/null && echo WRITTEN; true`)]).toEqual([
        place,
        '',
      ]);
    }
  });

  test('no privilege can be gained: mount, mknod, chroot, setuid, unshare, ptrace of the keeper', async () => {
    const attempts = [
      'mount -t tmpfs none /tmp',
      'umount /proc',
      'mknod /tmp/null c 1 3',
      'chroot / true',
      'chown 0:0 /workspace',
      'kill -9 1',
      'unshare -r true',
      'unshare -n true',
      'cat /proc/1/environ',
      'ls /proc/1/root/',
      'cat /proc/kcore',
      'nsenter -t 1 -m true',
      'su -c true',
      'hostname pwned',
      'cat /etc/shadow',
      'ls /root/.ssh',
    ];
    for (const attempt of attempts) {
      const result = await sh(`(${attempt}) >/dev/null 2>&1`);
      expect([attempt, result.exitCode === 0]).toEqual([attempt, false]);
    }
    expect(
      await out(
        'grep -c . /proc/self/status >/dev/null && grep -E "^(CapEff|NoNewPrivs|Seccomp):" /proc/self/status',
      ),
    ).toBe('CapEff:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n');
  });

  test('no way to the engine or to files of the host', async () => {
    expect(
      await out('ls -d /var/run/docker.sock /run/docker.sock /run/containerd 2>/dev/null; true'),
    ).toBe('');
    expect(await out(`find / -xdev -name '${bench.owner.id}*' 2>/dev/null; true`)).toBe('');
    expect(await out('grep -a -l -i docker_host /proc/[0-9]*/environ 2>/dev/null; true')).toBe('');
  });

  test('a setuid file in the repository gives nothing', async () => {
    await sh('cp "$(readlink -f /bin/sh)" suid; chmod 4755 suid');
    expect(await out('./suid -c "id -u" 2>/dev/null || true')).toMatch(/^(1000\n)?$/);
  });

  test('links to the host-looking places are followed only inside', async () => {
    await sh(
      'ln -sf /etc/passwd passwd; ln -sf /proc/1/root root; ln -sf ../../../../../../etc up',
    );
    const inside = await workspace.readFile('passwd');
    expect(inside?.realPath).toBe('/etc/passwd');
    expect(Buffer.from(inside?.bytes ?? []).toString()).toContain('agent:x:1000');
    await expect(workspace.writeFile('passwd', Buffer.from('x'))).rejects.toMatchObject({
      code: 'workspace_path',
    });
    await expect(workspace.writeFile('up/evil', Buffer.from('x'))).rejects.toMatchObject({
      code: 'workspace_path',
    });
    const { written } = await workspace.exportTree();
    const targets = written.filter(({ entry }) => entry.kind === 'symlink');
    expect(targets.map(({ content }) => Buffer.from(content).toString()).toSorted()).toEqual([
      '../../../../../../etc',
      '/etc/passwd',
      '/proc/1/root',
    ]);
  });

  test('names that mean to leave the tree do not', async () => {
    await sh(
      'mkdir -p -- "..." "-rf" "$(printf "a\\nb")"; echo x >".../f"; echo x >"-rf/f"; echo x >"$(printf "a\\nb")/f"; echo x >"C:evil"; echo x >"back\\slash"',
    );
    const { written } = await workspace.exportTree();
    for (const { entry } of written) {
      expect(entry.path.startsWith('/') || entry.path.split('/').includes('..')).toBe(false);
    }
    expect(written.map(({ entry }) => entry.path)).toEqual(
      expect.arrayContaining(['.../f', '-rf/f', 'a\nb/f', 'C:evil', 'back\\slash']),
    );
  });

  test('programs that the agent plants are never run by our own requests', async () => {
    await sh(
      'mkdir -p bin /home/agent/bin; for p in cat stat find head dd cp readlink xargs; do printf "#!/bin/sh\\necho pwned >/tmp/pwned\\n" | tee bin/$p >/home/agent/bin/$p; chmod +x bin/$p /home/agent/bin/$p; done; echo "export PATH=/workspace/bin:$PATH; cat() { echo pwned >/tmp/pwned; }" | tee /home/agent/.profile >/home/agent/.bashrc',
    );
    await workspace.writeFile('target', Buffer.from('x'));
    await workspace.readFile('target');
    await workspace.list('.', { maxEntries: 10 });
    await workspace.exportTree();
    expect(await workspace.stat('/tmp/pwned')).toBeUndefined();
  });

  test('B06 the nonce of a run cannot be read by the command from the channel by plain means', async () => {
    const spy =
      'for p in /proc/[0-9]*; do for f in cmdline environ; do tr "\\0" "\\n" <$p/$f; done; done 2>/dev/null | grep -c -E "^[0-9a-f]{32}$"; true';
    expect((await out(spy)).trim()).toBe('0');
  });

  test('known limit: writing into the channel of the same user cannot fake a result, only add noise', async () => {
    const forge =
      'for p in /proc/[0-9]*; do [ "$p" = "/proc/$$" ] || printf "%s 0 0 0\\n" 00112233445566778899aabbccddeeff >"$p/fd/1"; done 2>/dev/null; exit 7';
    const result = await sh(forge);
    expect(result.exitCode).toBe(7);
    expect(await out('echo still fine')).toBe('still fine\n');
    expect((await workspace.readFile('target'))?.totalBytes).toBe(1);
  });

  test('a stopped channel is given up instead of waited for', async () => {
    const freeze =
      'for p in /proc/[0-9]*; do read -r n <"$p/comm"; case $n in sh|dash|busybox) [ "$p" = "/proc/$$" ] || kill -STOP "@{p#/proc/}";; esac; done 2>/dev/null'.replace(
        '@{',
        '${',
      );
    const result = await workspace.run({ command: freeze, shell: 'sh', timeoutMs: 1_500 });
    expect(result.timedOut).toBe(true);
    expect(await out('echo again')).toBe('again\n');
    expect((await workspace.readFile('target'))?.totalBytes).toBe(1);
  });
});
