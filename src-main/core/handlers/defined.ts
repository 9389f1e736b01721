/** The members that are set: an absent member and one that is `undefined` mean the same to us. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const set = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(set) as { [K in keyof T]: Exclude<T[K], undefined> };
}
