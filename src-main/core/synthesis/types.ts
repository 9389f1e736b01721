import type { GeneratorName, SynthProgress, SynthReport } from '../../synthesis/index.ts';

export type { GeneratorName, SynthProgress, SynthReport } from '../../synthesis/index.ts';

/** What a door asks for; unset members are defaults. */
export interface SynthAsked {
  repository: string;
  out: string;
  generators: readonly GeneratorName[];
  target: number;
  /** Command that runs pytest; default `python3 -m pytest -q`. */
  verify?: string | undefined;
  image?: string | undefined;
  /** Default 1. */
  seed?: number | undefined;
  /** Default 2. */
  workers?: number | undefined;
  /** Default 3. */
  reruns?: number | undefined;
  hideTests?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: SynthProgress) => void) | undefined;
}

/** Tasks from the user's own repository. */
export interface Synthesis {
  /**
   * Makes tasks below `out` until there are `target`; goes on where an earlier call stopped. The
   * repository is only read.
   * @throws VivariumError `repo_*`, `usage`, `image_missing`, `task_invalid` when no test passes
   */
  tasks(asked: SynthAsked): Promise<SynthReport>;
}
