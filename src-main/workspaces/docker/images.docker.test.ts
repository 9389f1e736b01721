import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BUSYBOX_IMAGE,
  openBench,
  SMALL_LIMITS,
  TEST_IMAGE,
  type Bench,
} from '../../../test/support/workspaces.ts';
import { listOwned } from '../index.ts';
import { attest } from './attest.ts';
import { engineRows } from './attest-engine.ts';
import { containerOptions, userOf, type ContainerSpec } from './container-options.ts';
import { startExec } from './exec-stream.ts';
import { findImage } from './images.ts';
import { removeContainer } from './remove.ts';

let bench: Bench;
const made: string[] = [];

beforeAll(async () => {
  bench = await openBench();
});
afterAll(async () => {
  for (const image of made) await bench.engine.docker.getImage(image).remove({ force: true });
  await bench.dispose();
});

/** The BusyBox image after one command in it, or with another setting. */
async function derive(
  name: string,
  command: string[],
  { changes = '', from = BUSYBOX_IMAGE } = {},
): Promise<string> {
  const container = await bench.engine.docker.createContainer({
    Image: from,
    Cmd: command,
    HostConfig: { NetworkMode: 'none' },
  });
  await container.start();
  await container.wait();
  await container.commit({ repo: name, tag: 'latest', ...(changes === '' ? {} : { changes }) });
  await container.remove({ force: true });
  made.push(`${name}:latest`);
  return `${name}:latest`;
}

describe('images', () => {
  test('an image without a shell, without cat or without a needed program is named as unusable', async () => {
    const noShell = await derive('vivarium-test-no-shell', [
      '/bin/busybox',
      'rm',
      '/bin/sh',
      '/bin/ash',
    ]);
    const noCat = await derive('vivarium-test-no-cat', ['/bin/busybox', 'rm', '/bin/cat']);
    const noSetsid = await derive('vivarium-test-no-setsid', ['rm', '/usr/bin/setsid', '/bin/dd'], {
      from: TEST_IMAGE,
    });
    for (const [image, why] of [
      [noShell, /no working `sh`/],
      [noCat, /main process ended at once .*cat/],
      [noSetsid, /lacks dd, setsid/],
    ] as const) {
      await expect(bench.open({ image })).rejects.toMatchObject({
        code: 'image_unusable',
        message: expect.stringMatching(why),
      });
    }
    expect(await listOwned(bench.engine, bench.home)).toEqual({ containers: [], volumes: [] });
  });

  test('volumes that an image declares become memory disks with a limit', async () => {
    const image = await derive(
      'vivarium-test-volume',
      ['/bin/busybox', 'mkdir', '-m', '1777', '/data'],
      { changes: 'VOLUME /data' },
    );
    const workspace = await bench.open({ image });
    const fill = 'dd if=/dev/zero of=/data/x bs=1048576 count=100 2>/dev/null; wc -c </data/x';
    const result = await workspace.run({ command: fill, shell: 'sh', timeoutMs: 20_000 });
    expect(Number(Buffer.from(result.stdout.head).toString())).toBe(64 * 2 ** 20);
    await workspace.close();
  });
});

test("programs are found where the image's PATH says, in login shells too", async () => {
  const make =
    'mkdir /opt/tool && printf "#!/bin/sh\\necho found\\n" >/opt/tool/thing && chmod 755 /opt/tool/thing';
  const image = await derive('vivarium-test-path', ['sh', '-c', make], {
    changes: 'ENV PATH=/opt/tool:/usr/bin:/bin',
    from: TEST_IMAGE,
  });
  for (const rootfs of ['read-only', 'writable'] as const) {
    const workspace = await bench.open({ image, rootfs });
    for (const shell of ['bash', 'sh'] as const) {
      const { stdout } = await workspace.run({
        command: 'thing; echo $PATH',
        shell,
        timeoutMs: 9_000,
      });
      expect(Buffer.from(stdout.head).toString()).toBe('found\n/opt/tool:/usr/bin:/bin\n');
    }
    expect((await workspace.exportTree()).written).toEqual([]);
    await workspace.close();
  }
});

describe('attestation', () => {
  async function spec(): Promise<ContainerSpec> {
    const image = await findImage(bench.engine, BUSYBOX_IMAGE);
    return {
      imageId: image?.id ?? '',
      root: '/workspace',
      scratch: [],
      writable: false,
      limits: SMALL_LIMITS,
      labels: {},
      imageVolumes: [],
    };
  }

  test('every weakened setting is found from outside', async () => {
    const wanted = await spec();
    const container = await bench.engine.docker.createContainer(containerOptions(wanted));
    const found = await container.inspect();
    await removeContainer(bench.engine, container.id);
    const differing = (change: object, config: object = {}) =>
      engineRows(
        {
          ...found,
          HostConfig: { ...found.HostConfig, ...change },
          Config: { ...found.Config, ...config },
        },
        wanted,
      )
        .filter((row) => row.expected !== row.found && row.check !== 'mounts')
        .map((row) => row.check);
    expect(differing({})).toEqual([]);
    const weakenings: Record<string, object> = {
      NetworkMode: { NetworkMode: 'bridge' },
      Privileged: { Privileged: true },
      CapDrop: { CapDrop: ['NET_RAW'] },
      CapAdd: { CapAdd: ['SYS_ADMIN'] },
      SecurityOpt: { SecurityOpt: ['no-new-privileges', 'seccomp=unconfined'] },
      ReadonlyRootfs: { ReadonlyRootfs: false },
      Memory: { Memory: 0 },
      MemorySwap: { MemorySwap: -1 },
      NanoCpus: { NanoCpus: 0 },
      PidsLimit: { PidsLimit: null },
      PidMode: { PidMode: 'host' },
      IpcMode: { IpcMode: 'host' },
      UsernsMode: { UsernsMode: 'host' },
      Binds: { Binds: ['/:/host'] },
      Devices: { Devices: [{ PathOnHost: '/dev/kvm' }] },
      Tmpfs: { Tmpfs: { '/tmp': 'rw' } },
      Ulimits: { Ulimits: [] },
      LogConfig: { LogConfig: { Type: 'json-file', Config: {} } },
      AutoRemove: { AutoRemove: false },
    };
    for (const [check, change] of Object.entries(weakenings))
      expect(differing(change)).toEqual([check]);
    expect(differing({}, { User: '0:0' })).toEqual(['User']);
    expect(engineRows(found, wanted).find((row) => row.check === 'mounts')?.found).toBe(
      'volume local /workspace rw',
    );
  });

  test('a container that is weaker than asked is refused, from inside too', async () => {
    const wanted = await spec();
    const strict = containerOptions(wanted);
    const weak = { ...strict.HostConfig, CapDrop: [], ReadonlyRootfs: false, SecurityOpt: [] };
    const container = await bench.engine.docker.createContainer({ ...strict, HostConfig: weak });
    await container.start();
    const port = {
      exec: (argv: readonly string[]) => startExec(container, argv, userOf(wanted)),
      goneReason: async () => undefined,
      kill: async () => undefined,
    };
    const error: unknown = await attest(container, port, wanted).catch((thrown: unknown) => thrown);
    await removeContainer(bench.engine, container.id);
    expect(error).toMatchObject({ code: 'hardening_refused' });
    for (const check of [
      'ReadonlyRootfs',
      'CapDrop',
      'SecurityOpt',
      'CapBnd',
      'NoNewPrivs',
      'mount /',
    ]) {
      expect(String(error)).toContain(`${check} is `);
    }
  });
});
