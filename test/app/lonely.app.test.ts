import { readdirSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { removePlace } from '../cli/command.ts';
import { quoteWord, runLonely } from '../security/lonely-network.ts';
import { demoPlace } from '../support/app-place.ts';
import { hasBrowser } from '../support/browser.ts';

const FLOW = path.join(import.meta.dirname, 'lonely-flow.ts');

/**
 * Chromium asks the kernel at each start whether there is a route to this address, and sends nothing
 * to it; no flag keeps it from asking. Here it lies on loopback, so the question is no finding, while
 * anything sent there would be counted.
 */
const PROBED = '2001:4860:4860::8888';
const GIVE_ADDRESS = String.raw`perl -MSocket=:all -e 'socket(my $s, AF_INET6, SOCK_DGRAM, 0) or exit; ioctl($s, 0x8916, pack("a16 L l", inet_pton(AF_INET6, $ARGV[0]), 128, 1)) or die $!' ${PROBED}`;

describe.skipIf(!hasBrowser)('where nothing but loopback exists', () => {
  it('browser and core come from the first start to an exported patch, and try nothing else', async () => {
    const place = await demoPlace();
    onTestFinished(() => removePlace(place));
    const folder = await mkdtemp(path.join(place.folder, 'results-'));
    const command = [process.execPath, FLOW, place.folder].map(quoteWord).join(' ');
    const { codes, stdout, stderr, traffic } = await runLonely([GIVE_ADDRESS, command], folder, {
      ...{ cwd: place.folder, env: process.env, read: (file) => readFile(file, 'utf8') },
    });
    expect({ codes, stderr }).toEqual({ codes: [0, 0], stderr: ['', expect.any(String)] });
    expect(JSON.parse(stdout[1] ?? '')).toMatchObject({ findings: [] });
    const exported = readdirSync(path.join(place.folder, 'out'));
    expect(exported.filter((name) => name.endsWith('.patch'))).toHaveLength(1);
    expect(traffic).toEqual({
      refusedByRouting: 0,
      datagrams: 0,
      // Page, socket and model server: had nothing been counted, nothing would have been proven.
      connections: expect.toSatisfy((count: number) => count >= 3),
      interfaces: ['lo'],
    });
  });
});
