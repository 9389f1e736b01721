import { existsSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { IMAGE, ROOT } from '../place.ts';
import { series, type Row, type Skipped } from '../row.ts';

const VENV = path.join(ROOT, '.cache', 'bench-venv');
const PYTHON = path.join(VENV, 'bin', 'python');

/** The releases measured; others are measured by changing these. */
const PEERS = [
  { name: 'mini-swe-agent', version: '2.4.6', script: 'mini_swe_agent.py' },
  { name: 'swe-rex', version: '1.4.0', script: 'swe_rex.py' },
] as const;

const outputSchema = z.array(z.object({ what: z.string(), ms: z.array(z.number()) }));

async function install(requirement: string): Promise<void> {
  if (!existsSync(PYTHON)) await execa('python3', ['-m', 'venv', VENV]);
  const options = ['--quiet', '--disable-pip-version-check'];
  await execa(PYTHON, ['-m', 'pip', 'install', ...options, requirement], { timeout: 300_000 });
}

/** Time per `echo` in containers of the same image, by the peers' own Docker environments. */
export async function measurePeers(): Promise<(Row | Skipped)[]> {
  const rows: (Row | Skipped)[] = [];
  for (const { name, version, script } of PEERS) {
    const title = `${name} ${version}`;
    try {
      await install(`${name}==${version}`);
      const file = path.join(import.meta.dirname, script);
      const { stdout } = await execa(PYTHON, [file, IMAGE], { timeout: 180_000 });
      const measured = outputSchema.parse(JSON.parse(stdout.split('\n').at(-1) ?? ''));
      rows.push(...measured.map(({ what, ms }) => series(`${title}: ${what}`, 'ms', ms)));
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const line = text.split('\n').findLast((part) => part.trim() !== '');
      rows.push({ what: title, skipped: line?.trim().slice(0, 200) ?? 'it failed' });
    }
  }
  return rows;
}
