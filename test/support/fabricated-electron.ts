/** As much of an unpacked Electron as packaging touches, for machines that have none. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Bytes before the fuses in every Electron, by which programs find them. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** Version of the wire, and how many fuses follow. */
const WIRE = Buffer.from([1, 9]);

/** As Electron comes: RunAsNode, NodeOptions, NodeCliInspect, file:// rights and WasmTrapHandlers on. */
const FUSES = '101100011';

/** An asar that holds nothing. */
function emptyArchive(): Buffer {
  const header = JSON.stringify({ files: {} });
  const padded = header.padEnd(Math.ceil(header.length / 4) * 4, '\0');
  const sizes = Buffer.alloc(16);
  for (const [at, value] of [4, padded.length + 8, padded.length + 4, header.length].entries()) {
    sizes.writeUInt32LE(value, at * 4);
  }
  return Buffer.concat([sizes, Buffer.from(padded)]);
}

/** Writes it for Linux; its program is no program, but has fuses that can be set and read. */
export async function fabricateElectron(folder: string, version: string): Promise<void> {
  await mkdir(path.join(folder, 'resources'), { recursive: true });
  await mkdir(path.join(folder, 'locales'));
  const program = Buffer.concat([
    Buffer.alloc(1_000),
    Buffer.from(SENTINEL),
    WIRE,
    Buffer.from(FUSES),
    Buffer.alloc(1_000),
  ]);
  const files: Array<[string, string | Buffer]> = [
    ['electron', program],
    ['version', version],
    ['chrome-sandbox', ''],
    ['LICENSE', 'MIT'],
    ['LICENSES.chromium.html', '<p>'],
    ['locales/en-US.pak', ''],
    ['resources/default_app.asar', emptyArchive()],
  ];
  for (const [name, content] of files) await writeFile(path.join(folder, name), content);
  await chmod(path.join(folder, 'electron'), 0o755);
}

/** Paths of all files in an asar archive, and the text of those that lie in it itself. */
export function readArchive(archive: Buffer): { files: string[]; text: (file: string) => string } {
  const header = JSON.parse(archive.toString('utf8', 16, 16 + archive.readUInt32LE(12))) as Entry;
  const start = 8 + archive.readUInt32LE(4);
  const found = new Map<string, Entry>();
  const walk = ({ files = {} }: Entry, folder: string): void => {
    for (const [name, entry] of Object.entries(files)) {
      if (entry.files === undefined) found.set(folder + name, entry);
      else walk(entry, `${folder}${name}/`);
    }
  };
  walk(header, '');
  return {
    files: [...found.keys()],
    text(file) {
      const { offset = '0', size = 0 } = found.get(file) ?? {};
      return archive.toString('utf8', start + Number(offset), start + Number(offset) + size);
    },
  };
}

interface Entry {
  files?: Record<string, Entry>;
  offset?: string;
  size?: number;
}
