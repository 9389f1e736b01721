/** A profile that is edited, as its fields see it. */
export interface Draft {
  get: (member: string) => unknown;
  set: (member: string, value: unknown) => void;
}
