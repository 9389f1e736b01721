import { evidenceOf, type Graded } from '../../evaluation/index.ts';
import type { FailingTest } from '../types.ts';

const MAX_OUTPUT = 8192;

/** Failing tests with the section that pytest prints of each; empty where it prints none. */
export function failingTests(names: readonly string[], graded: Graded): FailingTest[] {
  const log = Buffer.from(evidenceOf(graded, 'verifier.log') ?? []).toString('utf8');
  const sections = sectionsOf(log);
  return names.map((name) => {
    const title = name.split('::').slice(1).join('.');
    return { name, output: (sections.get(title) ?? '').slice(0, MAX_OUTPUT) };
  });
}

/** Text below each `____ name ____` up to the next heading. */
function sectionsOf(log: string): Map<string, string> {
  const found = new Map<string, string>();
  let title: string | undefined;
  let lines: string[] = [];
  const end = () => {
    if (title !== undefined && !found.has(title)) found.set(title, lines.join('\n').trim());
    lines = [];
  };
  for (const line of log.split('\n')) {
    const heading = /^_{2,} (.+?) _{2,}\s*$/.exec(line)?.[1];
    if (heading === undefined && !/^={3,} .* ={3,}\s*$/.test(line)) {
      lines.push(line);
      continue;
    }
    end();
    title = heading;
  }
  end();
  return found;
}
