import type { LibraryModel, ServerPlan, VerifyResult } from '../../../contract/index.ts';
import { formatSize } from '../../../lib/index.ts';
import { formatAge, formatCount, plural } from './format.ts';
import { oneLine, pathText } from './safe-text.ts';
import { renderTable } from './table.ts';

/** What a narrow terminal does without. */
const SPARE = ['ADDED', 'CONTEXT', 'PRESET'];

/** `4.0B`, `135M`, `820K`; `?` where it is not known. */
export function formatParameters(parameters: number | null): string {
  if (parameters === null) return '?';
  const units: [number, string][] = [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'K'],
  ];
  for (const [size, unit] of units) {
    const value = parameters / size;
    if (value >= 0.9995) return `${value >= 99.95 ? value.toFixed(0) : value.toFixed(1)}${unit}`;
  }
  return String(parameters);
}

/** The table of `vivarium models list` at the time `now` (ms since 1970). */
export function renderModels(
  models: readonly LibraryModel[],
  now: number,
  columns: number | null,
): string {
  const rows = models.map(({ name, addedAt, preset, facts, folder, files }) => [
    oneLine(name),
    formatParameters(facts.parameters),
    oneLine(facts.quantization),
    formatSize(files.reduce((sum, file) => sum + file.bytes, 0)),
    formatCount(facts.trainedContextTokens),
    oneLine(preset),
    formatAge((now - addedAt) / 1000),
    pathText(folder),
  ]);
  const heading = ['NAME', 'SIZE', 'WEIGHTS', 'FILES', 'CONTEXT', 'PRESET', 'ADDED', 'WHERE'];
  return renderTable(heading, rows, columns, SPARE);
}

/** What `vivarium models show` and `add` say about one model. */
export function renderModel(model: LibraryModel): string {
  const { facts, files, sums } = model;
  const { layers, chatTemplate } = facts;
  const parts = [
    layers.fullAttention > 0 && `${formatCount(layers.fullAttention)} with full attention`,
    layers.sliding &&
      `${formatCount(layers.sliding.layers)} with a window of ${formatCount(layers.sliding.windowTokens)}`,
    layers.recurrent && `${formatCount(layers.recurrent.layers)} with a fixed state`,
  ].filter((part) => typeof part === 'string');
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const template = [
    oneLine(chatTemplate.source),
    chatTemplate.tools ? 'with tools' : 'without tools',
    chatTemplate.callFormat !== null && `calls as ${chatTemplate.callFormat}`,
    chatTemplate.thinking && 'thinks',
  ].filter((part) => typeof part === 'string');
  const rows: [string, string][] = [
    ['name', oneLine(model.name)],
    ['preset', oneLine(model.preset)],
    ['architecture', oneLine(facts.architecture)],
    ['parameters', `${formatParameters(facts.parameters)}, ${oneLine(facts.quantization)}`],
    ['layers', `${formatCount(layers.total)}: ${parts.join(', ')}`],
    ['trained context', `${formatCount(facts.trainedContextTokens)} tokens`],
    ['chat template', template.join(', ')],
    [
      'files',
      `${plural(files.length, 'file')}, ${formatSize(bytes)}, ${model.copied ? 'copied' : 'used where they are'}`,
    ],
    ['folder', pathText(model.folder)],
    ['sha256', model.sha256],
    [
      'checksums',
      sums === null
        ? 'none beside the files'
        : `${plural(sums.checked, 'file')} as in ${pathText(sums.file)}`,
    ],
    ...licenceRows(model),
  ];
  return alignRows(rows);
}

/** Two differing statements are both shown: which one holds is not for us to decide. */
function licenceRows({ facts }: LibraryModel): [string, string][] {
  if (facts.licences.length === 0) return [['licence', 'not stated in the files']];
  return facts.licences.map(({ source, licence }, index) => [
    index === 0 ? 'licence' : '',
    `${oneLine(licence)} (${oneLine(source)})`,
  ]);
}

/** `name  value` lines, names padded to one width. */
export function alignRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join('\n') + '\n';
}

/** What `vivarium models verify` found. */
export function renderVerified({ name, ok, files, faults }: VerifyResult): string {
  if (ok) return `${oneLine(name)}: ${plural(files, 'file')} as recorded.\n`;
  const lines = faults.map(({ path, fault }) => `  ${pathText(path)}: ${fault}\n`);
  return `${oneLine(name)}: ${plural(faults.length, 'file')} of ${files} not as recorded.\n${lines.join('')}`;
}

/** The plan of a start; every size but what is free is an estimate and called one. */
export function renderPlan(plan: ServerPlan, installation: string | null): string {
  const { estimate } = plan;
  const rows: [string, string][] = [
    ['engine', oneLine(installation ?? 'not found')],
    ['plan', oneLine(plan.reason)],
    ['context', `${formatCount(plan.contextTokens)} tokens, ${plural(plan.sequences, 'sequence')}`],
    [
      'memory',
      `about ${formatSize(estimate.totalBytes)} of ${formatSize(plan.availableBytes)} free (estimate)`,
    ],
    ['  weights', formatSize(estimate.weightsBytes)],
    [
      '  KV cache',
      `${formatSize(estimate.kvBytes)} (${formatSize(estimate.kvBytesPerToken)} a token)`,
    ],
    ...(estimate.stateBytes > 0
      ? [
          [
            '  state',
            `${formatSize(estimate.stateBytes)} (${formatSize(estimate.stateBytesPerSequence)} a sequence)`,
          ] as [string, string],
        ]
      : []),
    ['  engine', formatSize(estimate.overheadBytes)],
  ];
  const advice = plan.advice.map((line) => `  ${oneLine(line)}\n`).join('');
  return alignRows(rows) + (advice === '' ? '' : `more would fit with:\n${advice}`);
}
