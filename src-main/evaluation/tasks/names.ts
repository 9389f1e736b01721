import { taskInvalid } from './invalid.ts';

/** Names of data sets that become files, images and folders here. Each throws `task_invalid`. */

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
const IMAGE = /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,511}$/;
const WORKDIR = /^(\/[A-Za-z0-9._+-]+)+\/?$/;

/** A name of a folder or file: letters, digits, `.`, `_`, `-`. */
export function checkedName(name: string, what: string): string {
  if (NAME.test(name) && !name.includes('..')) return name;
  throw taskInvalid(
    `${what} is ${JSON.stringify(name)}`,
    'Use letters, digits, dots, underscores and hyphens only.',
  );
}

/** A reference or id of an image. */
export function checkedImage(reference: string): string {
  if (IMAGE.test(reference) && !reference.includes('..')) return reference;
  throw taskInvalid(`${JSON.stringify(reference)} is no name of an image`, 'Correct the image.');
}

/** An absolute folder of a workspace, without a `/` at its end. */
export function checkedWorkdir(folder: string): string {
  const parts = folder.split('/');
  if (WORKDIR.test(folder) && !parts.includes('..') && !parts.includes('.')) {
    return folder.replace(/\/$/, '');
  }
  throw taskInvalid(
    `${JSON.stringify(folder)} cannot be the folder of the repository`,
    'Use an absolute path of plain names, e.g. /workspace.',
  );
}
