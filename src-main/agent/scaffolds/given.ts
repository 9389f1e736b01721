/** The members of `T` that are set. */
export type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the members that are not set. */
export function given<T extends object>(members: T | undefined): Given<T> {
  const set = Object.entries(members ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Given<T>;
}
