import { VivariumError, messageOf } from '../../lib/index.ts';

/** A model that is refused: what is wrong with it and what to do. */
export function invalid(message: string, next: string, cause?: unknown): VivariumError {
  return new VivariumError('model_file_invalid', message, next, cause);
}

/** For files that end too early or contradict themselves: only a new copy helps. */
export function damaged(file: string, what: string, cause?: unknown): VivariumError {
  return invalid(
    `${file} is cut off or damaged: ${what}.`,
    'Copy the file again from where it came from, and compare its size and checksum.',
    cause,
  );
}

/** A file that the system does not let us read, in words. */
export function unreadable(file: string, fault: unknown): VivariumError {
  const { code } = fault as NodeJS.ErrnoException;
  const reason = REASONS[code ?? ''] ?? messageOf(fault);
  return invalid(
    `${file} cannot be read: ${reason}.`,
    'Check the path and its permissions.',
    fault,
  );
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its symbolic links go in a circle',
  ENAMETOOLONG: 'the name is too long',
  EIO: 'the disk or stick reports a read error',
  ESTALE: 'the disk or stick is gone',
  ENODEV: 'the disk or stick is gone',
  ENXIO: 'the disk or stick is gone',
};
