import picomatch from 'picomatch';

/** Folders that tools make and nobody reviews. */
const FOLDERS = [
  'node_modules',
  'bower_components',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.hypothesis',
  '.tox',
  '.nox',
  '.venv',
  '.eggs',
  '*.egg-info',
  '*.dist-info',
  '.ipynb_checkpoints',
  '.nyc_output',
  '.parcel-cache',
  '.turbo',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.gradle',
  '.terraform',
  '.bundle',
  '.dart_tool',
  'htmlcov',
];

const FILES = [
  '*.py[cod]',
  '.coverage',
  '.coverage.*',
  '.DS_Store',
  'Thumbs.db',
  '*.class',
  '*.o',
  '*.tsbuildinfo',
  '.*.sw[nop]',
];

/** A file that makes its folder a cache or a virtual environment, by what it begins with. */
const MARKERS: Readonly<Record<string, string>> = {
  'CACHEDIR.TAG': 'Signature: 8a477f597d28d172789f06886806bc55',
  'pyvenv.cfg': '',
};

const isFolderName = picomatch(FOLDERS, { dot: true });
const isFileName = picomatch(FILES, { dot: true });

/** A new file as far as it matters here. */
export interface NewFile {
  path: string;
  content: Uint8Array;
}

/**
 * Tells for each of the new files whether it is well-known build output: the outermost folder it is
 * in (with a `/` at the end), or its own path for a single file; `undefined` otherwise.
 */
export function buildOutputFinder(files: readonly NewFile[]): (path: string) => string | undefined {
  const marked = new Set<string>();
  for (const { path, content } of files) {
    const slash = path.lastIndexOf('/');
    const start = MARKERS[path.slice(slash + 1)];
    if (slash === -1 || start === undefined) continue;
    if (Buffer.from(content.subarray(0, start.length)).toString('latin1') === start) {
      marked.add(path.slice(0, slash));
    }
  }
  return (path) => {
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash);
      const name = folder.slice(folder.lastIndexOf('/') + 1);
      if (marked.has(folder) || isFolderName(name)) return `${folder}/`;
    }
    return isFileName(path.slice(path.lastIndexOf('/') + 1)) ? path : undefined;
  };
}
