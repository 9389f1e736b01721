import path from 'node:path';
import type { Core, GeneratorName } from '../../../../core/index.ts';
import { VivariumError } from '../../../../lib/index.ts';
import type { Console } from '../../console.ts';
import { required } from '../../failure.ts';
import { jsonText, pathText } from '../../render/safe-text.ts';
import { renderSynth, renderSynthProgress } from '../../render/synth.ts';
import { stoppable } from './make.ts';

type Asked = Parameters<Core['synthesis']['tasks']>[0];

export interface SynthOptions extends Omit<
  Asked,
  'repository' | 'out' | 'generators' | 'shares' | 'classes' | 'signal' | 'onProgress'
> {
  repo: string;
  out?: string;
  generators: string;
  quota?: Asked['shares'];
  json?: boolean;
}

const NAMES = ['mutate', 'rewrite', 'featadd', 'history'] as const satisfies GeneratorName[];

/** `vivarium tasks synth`: 1 when candidates end before the target is reached. */
export async function synthTasks(console: Console, options: SynthOptions): Promise<number> {
  const { json, repo, quota: shares, ...rest } = options;
  const folder = 'Name a folder with --out; it is made where it is missing.';
  const out = path.resolve(required(options.out, 'no folder for the tasks is named', folder));
  const generators = generatorsOf(options.generators);
  const report = await stoppable(console, ({ core, signal }) =>
    core.synthesis.tasks({
      ...rest,
      ...{ repository: path.resolve(repo), out, generators, shares, signal },
      onProgress: (progress) => console.err(renderSynthProgress(progress)),
    }),
  );
  if (json) console.out(jsonText(report));
  else {
    console.out(renderSynth(report, console.outColumns()));
    console.err(`\nNext: \`vivarium tasks preflight ${pathText(out)}\`.\n`);
  }
  return report.validated >= report.target ? 0 : 1;
}

function generatorsOf(text: string): GeneratorName[] {
  return [...new Set(text.split(','))].map((word) => {
    const name = NAMES.find((known) => known === word.trim());
    if (name !== undefined) return name;
    throw new VivariumError(
      'usage',
      `there is no generator ${JSON.stringify(word)}`,
      `Name some of ${NAMES.join(', ')}, with commas between.`,
    );
  });
}
