/** Class names that are there, joined. */
export function classes(...names: Array<string | false | null | undefined>): string {
  return names.filter((name) => name !== undefined && name !== false && name !== null).join(' ');
}
