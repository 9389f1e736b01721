/** What may be picked. */
export interface Pick {
  folders: boolean;
  /** Endings of files without dots; empty = no files. */
  extensions: string[];
}
