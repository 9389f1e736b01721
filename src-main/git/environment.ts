import { delimiter } from 'node:path';

/** Where a git process works. Everything unset is unset for git, too. */
export interface GitPlace {
  /** `GIT_DIR`. */
  gitDir?: string;
  /** `GIT_WORK_TREE`. */
  workTree?: string;
  /** `GIT_INDEX_FILE`. */
  indexFile?: string;
  /** `GIT_OBJECT_DIRECTORY`: where new objects go. */
  objects?: string;
  /** Object folders that are only read. */
  alternates?: readonly string[];
  /** `GIT_ATTR_SOURCE`: the tree attributes come from (git 2.41 and newer). */
  attributes?: string;
}

/** Wins over any file of configuration; nothing here may depend on the user's machine. */
export const HARDENED_CONFIG = [
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'core.pager=cat',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'core.commitGraph=false',
  'core.multiPackIndex=false',
  'protocol.allow=never',
  'safe.bareRepository=explicit',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.detachedHead=false',
  'trace2.eventTarget=',
] as const;

const EMPTY_TREE = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
} as const;

export type ObjectFormat = keyof typeof EMPTY_TREE;

/** Id of the tree with nothing in it. */
export function emptyTree(format: ObjectFormat): string {
  return EMPTY_TREE[format];
}

/** The object format an object id belongs to. */
export function formatOf(objectId: string): ObjectFormat {
  return objectId.length === 64 ? 'sha256' : 'sha1';
}

/**
 * The whole environment of a git process: no configuration of the machine or the user, no prompt,
 * no lock, no pager, no hook, no transport, no replaced objects, English messages.
 */
export function gitEnvironment(place: GitPlace): Record<string, string> {
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    LC_ALL: 'C',
    // A path below a file: nothing can be there, and git takes "not a directory" as "no file".
    HOME: '/dev/null',
    XDG_CONFIG_HOME: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    GIT_EDITOR: '/bin/false',
    GIT_PAGER: 'cat',
    GIT_ALLOW_PROTOCOL: '',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_FLUSH: '0',
  };
  // git itself uses it to tell the owner when root acts for a user.
  if (process.env.SUDO_UID !== undefined) env.SUDO_UID = process.env.SUDO_UID;
  if (place.gitDir !== undefined) env.GIT_DIR = place.gitDir;
  if (place.workTree !== undefined) env.GIT_WORK_TREE = place.workTree;
  if (place.indexFile !== undefined) env.GIT_INDEX_FILE = place.indexFile;
  if (place.objects !== undefined) env.GIT_OBJECT_DIRECTORY = place.objects;
  if (place.attributes !== undefined) env.GIT_ATTR_SOURCE = place.attributes;
  if (place.alternates !== undefined && place.alternates.length > 0) {
    env.GIT_ALTERNATE_OBJECT_DIRECTORIES = place.alternates.map(quoteListItem).join(delimiter);
  }
  return env;
}

/** Quoted as git reads it in a list of paths, so that a path may hold the separator. */
function quoteListItem(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
