import { z } from 'zod';
import { call } from '../rpc.ts';

export const repositoryFactsSchema = z.object({
  /** Absolute folder of the repository's top. */
  top: z.string(),
  name: z.string(),
  head: z.object({ commit: z.string(), branch: z.string().nullable(), subject: z.string() }),
  dirty: z.object({ modified: z.number(), untracked: z.number() }),
  /** Commands that probably run its tests, best first, each with what it was guessed from. */
  verifyProposals: z.array(z.object({ command: z.string(), because: z.string() })),
  /** What its `vivarium.yaml` sets, by member, as text. */
  settings: z.record(z.string(), z.string()),
});

export const folderEntrySchema = z.object({
  name: z.string(),
  path: z.string(),
  isRepository: z.boolean(),
});

export const REPOSITORY_CALLS = {
  'repositories/inspect': call(z.object({ path: z.string().min(1) }), repositoryFactsSchema),
  /** Most recently used first; those that are gone are left out. */
  'repositories/recent': call(
    z.object({}),
    z.array(z.object({ path: z.string(), name: z.string(), usedAt: z.number() })),
  ),
  /**
   * Folders inside a folder, for a picker where the shell has none. `null` = the home folder. Files are
   * listed only where they are asked for by their endings, without dots.
   */
  'folders/list': call(
    z.object({
      path: z.string().nullable(),
      hidden: z.boolean().default(false),
      extensions: z.array(z.string()).optional(),
    }),
    z.object({
      path: z.string(),
      parent: z.string().nullable(),
      entries: z.array(folderEntrySchema),
      files: z
        .array(z.object({ name: z.string(), path: z.string(), bytes: z.number() }))
        .optional(),
    }),
  ),
};

export type RepositoryFacts = z.infer<typeof repositoryFactsSchema>;
export type FolderEntry = z.infer<typeof folderEntrySchema>;
