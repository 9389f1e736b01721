import { messageOf, VivariumError } from '../../lib/index.ts';

/** Whether the engine answered with this HTTP status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === status;
}

/** Whether an error is the engine's answer, not a broken connection. */
export function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error;
}

/** The engine's own words, without the client's prefix. */
export function engineMessage(error: unknown): string {
  return messageOf(error).replace(/^\(HTTP code \d+\) [^-]*- /, '');
}

/** Cause and next step of a container that could not be made. */
export function createFailure(
  error: unknown,
  asked: { image: string; runtime?: string | undefined },
): Error {
  if (error instanceof Error && error.name === 'AbortError') return error;
  const message = engineMessage(error);
  if (hasStatus(error, 404) && /image/i.test(message)) {
    return new VivariumError(
      'image_missing',
      `The image ${asked.image} is not on this machine.`,
      'Run `vivarium images build`, or name a local image with --image.',
      error,
    );
  }
  if (/runtime/i.test(message) && asked.runtime !== undefined) {
    return new VivariumError(
      'runtime_missing',
      `The container runtime ${asked.runtime} cannot be used: ${message}`,
      'Install it and register it with the engine, or leave --runtime out.',
      error,
    );
  }
  if (/exec: "cat"|executable file not found/i.test(message)) {
    return new VivariumError(
      'image_unusable',
      `The image ${asked.image} cannot be a workspace: it has no \`cat\` (${message}).`,
      'Use an image with a POSIX shell and coreutils (or BusyBox).',
      error,
    );
  }
  if (/no space left on device/i.test(message)) {
    return new VivariumError(
      'workspace_failed',
      `The repository does not fit into the workspace: ${message}`,
      'Raise the disk and memory limits of the workspace.',
      error,
    );
  }
  return new VivariumError(
    'docker_failed',
    `The container engine could not open a workspace: ${message}`,
    'Run `vivarium doctor` to see what the engine lacks.',
    error,
  );
}
