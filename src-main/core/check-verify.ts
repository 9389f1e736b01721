import type { Found } from './check-row.ts';
import type { Environment } from './environment.ts';
import { firstProgram } from './first-program.ts';
import { programsOf } from './image-programs.ts';

/** What a check of a fix says of its verify command; `image`: the one to work in, where it is here. */
export async function checkVerify(
  environment: Environment,
  command: string | undefined,
  image: Promise<string | null>,
): Promise<Found> {
  if (command === undefined || command.trim() === '') {
    return {
      ...{ state: 'warning', found: 'no test command: nothing will tell whether the patch works' },
      remedy: 'Give the command that runs the tests.',
    };
  }
  const program = firstProgram(command);
  const reference = program === null ? null : await image;
  if (program === null || reference === null) return { found: command };
  const programs = await programsOf(environment, reference);
  if (programs === null || programs.has(program)) return { found: command };
  return {
    ...{ state: 'warning', found: `the image ${reference} has no program ${program}` },
    remedy:
      'Choose an image that has it, or build one with `vivarium images build --package NAME --tag TAG`.',
  };
}
