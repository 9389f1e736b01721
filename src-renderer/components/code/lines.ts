/** A piece of a line and the classes it is coloured by. */
export interface Piece {
  text: string;
  className: string | null;
}

/** Lines longer than this are cut where they are shown; the record keeps them. */
export const LONGEST_LINE = 2_000;

/** Lines of a text; the line feed at its very end opens no further one. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** A line's start, and how many characters were cut off. */
export function cutLine(line: string): { shown: string; rest: number } {
  if (line.length <= LONGEST_LINE) return { shown: line, rest: 0 };
  return { shown: line.slice(0, LONGEST_LINE), rest: line.length - LONGEST_LINE };
}

/** How many lines to show: all when only a few more than the limit would be hidden. */
export function shownLines(count: number, limit: number | null): number {
  if (limit === null || count <= limit * 1.15 + 2) return count;
  return limit;
}

/** Language for the highlighter by a file's name; `null` = none known. */
export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'makefile' || name === 'gnumakefile') return 'makefile';
  const dot = name.lastIndexOf('.');
  return dot === -1 ? null : (LANGUAGES[name.slice(dot + 1)] ?? null);
}

const LANGUAGES: Readonly<Record<string, string>> = {
  bash: 'bash',
  c: 'c',
  cc: 'cpp',
  cfg: 'ini',
  cjs: 'javascript',
  cpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  diff: 'diff',
  go: 'go',
  h: 'c',
  hpp: 'cpp',
  htm: 'xml',
  html: 'xml',
  ini: 'ini',
  java: 'java',
  js: 'javascript',
  json: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  less: 'less',
  lua: 'lua',
  md: 'markdown',
  mjs: 'javascript',
  patch: 'diff',
  php: 'php',
  pl: 'perl',
  py: 'python',
  pyi: 'python',
  r: 'r',
  rb: 'ruby',
  rs: 'rust',
  scss: 'scss',
  sh: 'bash',
  sql: 'sql',
  swift: 'swift',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
};
