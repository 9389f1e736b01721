import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Bytes of a script in which its interpreter is named. */
const HEAD_BYTES = 1024;

/**
 * The Python that runs an installed script, from its first lines: `#!/venv/bin/python`, or the form
 * that installers write where that line would be too long. `null` when it is no Python script.
 */
export async function pythonOf(script: string): Promise<string | null> {
  if (/^python[\d.]*(?:\.exe)?$/.test(basename(script))) return script;
  const head = await readHead(script);
  const plain = /^#!\s*(\/\S*\/python[\d.]*)(?:\s|$)/.exec(head)?.[1];
  if (plain !== undefined) return plain;
  return /^'''exec' "?(\/[^"\n]*\/python[\d.]*)"? "\$0"/m.exec(head)?.[1] ?? null;
}

async function readHead(file: string): Promise<string> {
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}

/** Where a virtual environment keeps its programs. */
export function programsOf(folder: string): string {
  return join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
}

/** The environment that a program lies in, for people: `/opt/vllm` for `/opt/vllm/bin/vllm`. */
export function shownPlace(file: string): string {
  const folder = dirname(file);
  return basename(folder) === 'bin' || basename(folder) === 'Scripts' ? dirname(folder) : file;
}

/** Asks Python for the version of an installed package; loads nothing of the package itself. */
export function versionCommand(python: string, name: string): string[] {
  return [python, '-c', `import importlib.metadata as m; print(m.version('${name}'))`];
}
