/** The last part of a path: what people call a repository. */
export function baseName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
}
