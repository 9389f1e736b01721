import { REVIEW_FLAGS } from '../../contract/index.ts';
import { visible, visibleLine } from '../../lib/index.ts';
import { diffLines } from './diff-lines.ts';
import { testRows, type ReportFacts } from './facts.ts';
import { filesText, MAX_LINES, MAX_TESTS, verifiedText } from './html-report.ts';

/**
 * A report for a tracker or a pull request. Everything foreign stands in code: between fences longer
 * than any run of backticks in it, or in spans. There nothing is read as Markdown or HTML, and no
 * name or number becomes a mention or a link.
 */
export function markdownReport(facts: ReportFacts): Uint8Array {
  const parts = [
    `# ${span(facts.title)}`,
    ...headOf(facts),
    ...titled('Issue', [fenced(facts.issue)]),
    ...titled(
      'What the model says',
      facts.finalMessage?.trim() ? [fenced(facts.finalMessage)] : [],
    ),
    ...verification(facts),
    ...titled('Look twice', [list(facts.exported.flags.map(flagLine))]),
    ...titled('Notes', facts.notes.flatMap(noteBlocks)),
    ...titled('Left out', [list(leftOutLines(facts))]),
    ...titled('Changes', facts.files.flatMap(fileBlocks)),
    ...titled('Where it comes from', [
      list(facts.origin.map(([name, value]) => `${name}: ${span(value)}`)),
    ]),
    ...titled('Attempts', [list(facts.attempts.map(attemptLine))]),
  ];
  return Buffer.from(`${parts.join('\n\n')}\n`);
}

function titled(title: string, blocks: readonly string[]): string[] {
  const full = blocks.filter((block) => block !== '');
  return full.length === 0 ? [] : [`## ${title}`, ...full];
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** A code span; longer than any run of backticks inside, on one line. */
export function span(text: string): string {
  const shown = visibleLine(text);
  if (shown.trim() === '') return '(empty)';
  const ticks = '`'.repeat(longestRun(shown) + 1);
  const space = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${ticks}${space}${shown}${space}${ticks}`;
}

/** A code block; its fences are longer than any run of backticks inside. */
export function fenced(text: string, language = 'text'): string {
  const shown = visible(text).replace(/\n+$/, '');
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function headOf({ exported, verification: verified, partial }: ReportFacts): string[] {
  const { files, insertions, deletions, sha256 } = exported;
  return [
    `${filesText(files.length)}, +${insertions} −${deletions}, patch sha256 ${span(sha256)}`,
    verified === null ? 'Not verified: no command was given.' : span(verified.summary),
    ...(partial === null ? [] : [partial]),
    'A proposal by a model. Review before use.',
  ];
}

function verification({ verification: verified }: ReportFacts): string[] {
  if (verified === null) return [];
  const { before, after } = verified;
  const rows = testRows(verified);
  const more = rows.length - MAX_TESTS;
  return titled('Verification', [
    `By ${span(verified.command)}`,
    list([
      ...verified.restored.map((path) => `put back before the run: ${span(path)}`),
      ...verified.regressions.map((name) => `broken: ${span(name)}`),
      `exit code: ${before.exitCode ?? '-'} before, ${after.exitCode ?? '-'} after`,
      ...rows
        .slice(0, MAX_TESTS)
        .map((row) => `${span(row.name)}: ${row.before ?? '-'} before, ${row.after ?? '-'} after`),
      ...(more > 0 ? [`and ${more} more tests`] : []),
    ]),
    'Last output, with the patch:',
    fenced(after.outputTail),
  ]);
}

function place(path: string, line: number | null): string {
  return span(line === null ? path : `${path}:${line}`);
}

function flagLine({ kind, path, line, detail }: ReportFacts['exported']['flags'][number]): string {
  return `**${REVIEW_FLAGS[kind]}**: ${place(path, line)} ${span(detail)}`;
}

function noteBlocks({ path, line, text, code }: ReportFacts['notes'][number]): string[] {
  return [place(path, line), code === null ? '' : fenced(code), fenced(text)];
}

function leftOutLines({ selection, leftOut }: ReportFacts): string[] {
  return [
    ...selection.rejected.map(
      ({ path, header }) => `${span(path)} ${span(header)} rejected in review`,
    ),
    ...leftOut.map(({ path, reason }) => `${span(path)} ${span(reason)}`),
  ];
}

function fileBlocks(part: ReportFacts['files'][number]): string[] {
  const { hunks } = part;
  const lines: string[] = [];
  for (const hunk of hunks) {
    lines.push(visibleLine(hunk.header));
    for (const { sign, text } of diffLines(hunk)) lines.push(`${sign}${text}`);
    if (lines.length > MAX_LINES) break;
  }
  const cut = lines.length > MAX_LINES;
  return [
    `### ${span(part.oldPath === null ? part.path : `${part.oldPath} → ${part.path}`)} ${part.status}`,
    part.about === '' ? '' : span(part.about),
    lines.length === 0 ? '' : fenced(lines.slice(0, MAX_LINES).join('\n'), 'diff'),
    cut ? 'Cut here; the patch itself is whole.' : '',
  ];
}

function attemptLine(one: ReportFacts['attempts'][number]): string {
  return `attempt ${one.number}, seed ${one.seed}: ${one.exitReason ?? 'running'}, ${one.steps} steps, verification ${verifiedText(one.verified)}`;
}
