import { REVIEW_FLAGS } from '../../contract/index.ts';
import { bullets, codeBlock, codeSpan, titled, visibleLine } from '../../lib/index.ts';
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
    `# ${codeSpan(facts.title)}`,
    ...headOf(facts),
    ...titled('Issue', [codeBlock(facts.issue)]),
    ...titled(
      'What the model says',
      facts.finalMessage?.trim() ? [codeBlock(facts.finalMessage)] : [],
    ),
    ...verification(facts),
    ...titled('Look twice', [bullets(facts.exported.flags.map(flagLine))]),
    ...titled('Notes', facts.notes.flatMap(noteBlocks)),
    ...titled('Left out', [bullets(leftOutLines(facts))]),
    ...titled('Changes', facts.files.flatMap(fileBlocks)),
    ...titled('Where it comes from', [
      bullets(facts.origin.map(([name, value]) => `${name}: ${codeSpan(value)}`)),
    ]),
    ...titled('Attempts', [bullets(facts.attempts.map(attemptLine))]),
  ];
  return Buffer.from(`${parts.join('\n\n')}\n`);
}

function headOf({ exported, verification: verified, partial }: ReportFacts): string[] {
  const { files, insertions, deletions, sha256 } = exported;
  return [
    `${filesText(files.length)}, +${insertions} −${deletions}, patch sha256 ${codeSpan(sha256)}`,
    verified === null ? 'Not verified: no command was given.' : codeSpan(verified.summary),
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
    `By ${codeSpan(verified.command)}`,
    bullets([
      ...verified.restored.map((path) => `put back before the run: ${codeSpan(path)}`),
      ...verified.regressions.map((name) => `broken: ${codeSpan(name)}`),
      `exit code: ${before.exitCode ?? '-'} before, ${after.exitCode ?? '-'} after`,
      ...rows
        .slice(0, MAX_TESTS)
        .map(
          (row) => `${codeSpan(row.name)}: ${row.before ?? '-'} before, ${row.after ?? '-'} after`,
        ),
      ...(more > 0 ? [`and ${more} more tests`] : []),
    ]),
    'Last output, with the patch:',
    codeBlock(after.outputTail),
  ]);
}

function place(path: string, line: number | null): string {
  return codeSpan(line === null ? path : `${path}:${line}`);
}

function flagLine({ kind, path, line, detail }: ReportFacts['exported']['flags'][number]): string {
  return `**${REVIEW_FLAGS[kind]}**: ${place(path, line)} ${codeSpan(detail)}`;
}

function noteBlocks({ path, line, text, code }: ReportFacts['notes'][number]): string[] {
  return [place(path, line), code === null ? '' : codeBlock(code), codeBlock(text)];
}

function leftOutLines({ selection, leftOut }: ReportFacts): string[] {
  return [
    ...selection.rejected.map(
      ({ path, header }) => `${codeSpan(path)} ${codeSpan(header)} rejected in review`,
    ),
    ...leftOut.map(({ path, reason }) => `${codeSpan(path)} ${codeSpan(reason)}`),
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
    `### ${codeSpan(part.oldPath === null ? part.path : `${part.oldPath} → ${part.path}`)} ${part.status}`,
    part.about === '' ? '' : codeSpan(part.about),
    lines.length === 0 ? '' : codeBlock(lines.slice(0, MAX_LINES).join('\n'), 'diff'),
    cut ? 'Cut here; the patch itself is whole.' : '',
  ];
}

function attemptLine(one: ReportFacts['attempts'][number]): string {
  return `attempt ${one.number}, seed ${one.seed}: ${one.exitReason ?? 'running'}, ${one.steps} steps, verification ${verifiedText(one.verified)}`;
}
