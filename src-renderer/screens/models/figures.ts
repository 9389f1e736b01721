import type {
  LibraryModel,
  LicenceStatement,
  ServerSample,
  ServerStatus,
} from '../../../src-main/contract/index.ts';

/** Figures about models and servers that several parts of the screen show. All pure. */

/** `4.0B`, `14.8B`, `352M`, `3.5M`: parameters as people name models by them; `?` when not counted. */
export function formatParameters(parameters: number | null): string {
  if (parameters === null) return '?';
  for (const [unit, letter] of UNITS) {
    // One more digit would be noise: names of models have two or three.
    if (parameters >= unit * 0.9995) {
      const value = parameters / unit;
      return `${value.toFixed(value >= 99.95 ? 0 : 1)}${letter}`;
    }
  }
  return String(parameters);
}

const UNITS: ReadonlyArray<[number, string]> = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
];

/** Bytes of a model's files on disk. */
export function fileBytes({ files }: LibraryModel): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Memory a server takes now where its plan has its weights: on the GPU, in the machine, or both.
 * `null` = not measured.
 */
export function memoryOf(
  sample: Pick<ServerSample, 'memoryBytes' | 'gpuBytes'> | null,
  device: 'gpu' | 'cpu' | 'split' | null,
): number | null {
  if (sample === null) return null;
  const { memoryBytes, gpuBytes } = sample;
  if (device === 'gpu') return gpuBytes ?? memoryBytes;
  if (device === 'split' && gpuBytes !== null) return gpuBytes + (memoryBytes ?? 0);
  return memoryBytes;
}

/** A server holds memory, or is about to. */
export function isUp({ state }: Pick<ServerStatus, 'state'>): boolean {
  return state !== 'stopped' && state !== 'failed' && state !== 'lost';
}

/** Licence statements that name different licences; the same one said twice does not count. */
export function differ(statements: readonly LicenceStatement[]): boolean {
  const named = new Set(statements.map(({ licence }) => plainLicence(licence)));
  return named.size > 1;
}

/** `Apache 2.0`, `apache-2.0` and `Apache License 2.0` are the same. */
function plainLicence(licence: string): string {
  return licence
    .toLowerCase()
    .replace(/\b(?:the|licen[cs]e|version|v(?=\d))\b|^v(?=\d)/g, '')
    .replace(/[^a-z0-9.]+/g, '');
}
