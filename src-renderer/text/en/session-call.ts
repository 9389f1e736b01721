import { plural } from './units.ts';

/** Words around the calls of a step. */
export const callText = {
  label: (tool: string, subject: string) => `${tool} ${subject}`,
  notRun: 'no result on record',
  error: 'error',
  lines: (from: number, to: number) => (to > from ? `lines ${from} to ${to}` : `line ${from}`),
  empty: 'empty',
  files: (count: number) => plural(count, 'file'),
  more: (count: number) => `Show ${plural(count, 'more file')}`,
  replacements: (count: number) => plural(count, 'replacement'),
  everywhere: 'everywhere',
  written: (size: string) => size,
  arguments: 'Arguments',
  result: 'Result',
  command: 'Command',
  inFolder: (folder: string) => `in ${folder}`,
  earlier: (count: number) => `Show ${plural(count, 'earlier line')}`,
  shortened: (size: string) => `The model saw a shortened form. Show what was kept of ${size}`,
  loadingOutput: 'Reading the output…',
  binary: 'Not text; shown as far as it can be read.',
  remark: 'Remark',
};
