import { posix } from 'node:path';
import type { ReviewFlag, ReviewFlagKind } from '../contract/index.ts';
import { formatSize, hiddenCharacters, visibleLine } from '../lib/index.ts';
import {
  describeMixed,
  isAssertion,
  isJudging,
  isSkip,
  mixedWords,
  riskyCalls,
} from './flag-lines.ts';
import { flagsOfPath, isProse } from './flag-paths.ts';
import { parsePatch } from './patch-parser.ts';
import type { ParsedFile, PatchLine } from './patch-parser.ts';

const LARGE_LINES = 500;
const LARGE_BYTES = 256 * 1024;
const LONG_LINE = 2000;
const SHOWN_CHARACTERS = 160;
const LINES_PER_KIND = 5;

/**
 * All reasons to look twice at a patch, computed from its bytes alone, so that any reader can ask
 * again. Order: as the files stand in the patch. Throws `patch_invalid` for bytes that are no patch.
 */
export function reviewFlags(patch: Uint8Array): ReviewFlag[] {
  return parsePatch(patch).flatMap(flagsOfFile);
}

type Finding = Omit<ReviewFlag, 'path'>;

function flagsOfFile(file: ParsedFile): ReviewFlag[] {
  const findings = [...pathFindings(file), ...kindFindings(file), ...lineFindings(file)];
  return limited(findings).map((finding) => ({ ...finding, path: file.path }));
}

function pathFindings(file: ParsedFile): Finding[] {
  const verb = { added: 'adds', modified: 'changes', deleted: 'deletes' }[file.status];
  const findings: Finding[] = flagsOfPath(file.path).map((kind) =>
    whole(kind, `${verb} ${visibleLine(file.path)}`),
  );
  const hidden = hiddenCharacters(file.path);
  if (hidden.length > 0 || /[\t\n]/.test(file.path)) {
    findings.push(whole('hidden_characters', `in the name ${visibleLine(file.path)}`));
  }
  for (const word of mixedWords(file.path)) {
    findings.push(whole('homoglyphs', `in the name: ${visibleLine(describeMixed(word))}`));
  }
  return findings;
}

/** What the kind, mode and size of the change tell. */
function kindFindings(file: ParsedFile): Finding[] {
  const findings: Finding[] = [];
  const { newMode, oldMode, status } = file;
  if (status === 'deleted') findings.push(whole('deleted', 'deletes the file'));
  if (newMode === '120000') findings.push(whole('symlink', describeLink(file)));
  if (newMode === '100755' && oldMode !== '100755') {
    findings.push(whole('executable', status === 'added' ? 'new file' : `was ${oldMode}`));
  }
  if (file.binary) findings.push(whole('binary', `${formatSize(file.binaryBytes)} of binary data`));
  const changed = file.lines.filter(({ sign }) => sign !== ' ');
  const bytes = changed.reduce((sum, { text }) => sum + text.length, file.binaryBytes);
  if (changed.length > LARGE_LINES || bytes > LARGE_BYTES) {
    findings.push(whole('large', `${changed.length} changed lines, ${formatSize(bytes)}`));
  }
  return findings;
}

function describeLink(file: ParsedFile): string {
  const target = file.lines
    .filter(({ sign }) => sign === '+')
    .map(({ text }) => text)
    .join('\n');
  const resolved = posix.join(posix.dirname(file.path), target);
  const outside = target.startsWith('/') || resolved === '..' || resolved.startsWith('../');
  return `leads to ${shown(target)}${outside ? ', outside the repository' : ''}`;
}

function lineFindings(file: ParsedFile): Finding[] {
  const findings: Finding[] = [];
  for (const line of file.lines) if (line.sign === '+') findings.push(...addedLine(file, line));
  findings.push(...removedAssertions(file));
  return findings;
}

function addedLine(file: ParsedFile, { text: raw, line }: PatchLine): Finding[] {
  const findings: Finding[] = [];
  // The carriage return of a CRLF line end is no hidden character.
  const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
  const hidden = hiddenCharacters(text, { atStart: line === 1 });
  if (hidden.length > 0) {
    findings.push({
      kind: 'hidden_characters',
      line,
      detail: `${hidden.join(', ')}: ${shown(text)}`,
    });
  }
  const mixed = mixedWords(text);
  if (mixed.length > 0) {
    const detail = visibleLine(mixed.slice(0, 5).map(describeMixed).join(', '));
    findings.push({ kind: 'homoglyphs', line, detail });
  }
  if (text.length > LONG_LINE) {
    findings.push({ kind: 'large', line, detail: `a line of ${text.length} characters` });
  }
  if (isProse(file.path)) return findings;
  const plain = readable(text);
  if (isSkip(plain)) findings.push({ kind: 'tests_skipped', line, detail: shown(text) });
  if (isJudging(plain)) findings.push({ kind: 'test_config', line, detail: shown(text) });
  const risky = riskyCalls(plain);
  if (risky.length > 0) {
    findings.push({ kind: 'risky_calls', line, detail: `${risky.join(', ')}: ${shown(text)}` });
  }
  return findings;
}

/** As a compiler reads it: compatibility letters are plain ones, invisible ones are none. */
function readable(text: string): string {
  const bounded = text.slice(0, 20_000);
  return bounded.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
}

/** Assertions that were there and are not there in the same words any more. */
function removedAssertions(file: ParsedFile): Finding[] {
  if (isProse(file.path)) return [];
  const added = new Map<string, number>();
  for (const { sign, text } of file.lines) {
    if (sign === '+') added.set(text.trim(), (added.get(text.trim()) ?? 0) + 1);
  }
  const findings: Finding[] = [];
  for (const { sign, text, line } of file.lines) {
    if (sign !== '-' || !isAssertion(readable(text))) continue;
    const moved = added.get(text.trim()) ?? 0;
    if (moved > 0) {
      added.set(text.trim(), moved - 1);
      continue;
    }
    const at = file.status === 'deleted' ? null : line;
    findings.push({ kind: 'assertions_removed', line: at, detail: shown(text) });
  }
  return findings;
}

function whole(kind: ReviewFlagKind, detail: string): Finding {
  return { kind, line: null, detail };
}

function shown(text: string): string {
  const trimmed = text.trim();
  const cut = trimmed.length > SHOWN_CHARACTERS;
  const start = trimmed.slice(0, SHOWN_CHARACTERS);
  return `${visibleLine(start)}${cut ? '…' : ''}`;
}

/** At most a few lines of each kind, and then how many more there are. */
function limited(findings: readonly Finding[]): Finding[] {
  const kept: Finding[] = [];
  const counts = new Map<ReviewFlagKind, number>();
  for (const finding of findings) {
    const seen = (counts.get(finding.kind) ?? 0) + 1;
    counts.set(finding.kind, seen);
    if (seen <= LINES_PER_KIND) kept.push(finding);
  }
  for (const [kind, seen] of counts) {
    if (seen > LINES_PER_KIND) {
      kept.push({ kind, line: null, detail: `and ${seen - LINES_PER_KIND} more places` });
    }
  }
  return kept;
}
