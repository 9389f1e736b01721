import type { Language } from '../types.ts';

const BY_ENDING: Readonly<Record<string, Language>> = {
  py: 'python',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  go: 'go',
};

/** Language of a source file, by its name; `null` = none that is read. */
export function languageOf(path: string): Language | null {
  return BY_ENDING[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? null;
}
