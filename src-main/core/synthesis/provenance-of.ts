import { z } from 'zod';
import type { Task } from '../../evaluation/index.ts';

const text = z.string().optional().catch(undefined);
const schema = z.object({
  vivarium: z.object({ bug_class: text, generator: text, method: text, statement_by: text }),
});

export type TaskProvenance = Partial<z.infer<typeof schema>['vivarium']>;

/** What synthesis wrote of a task's making; unset where a task says nothing of it. */
export function provenanceOf({ metadata }: Pick<Task, 'metadata'>): TaskProvenance {
  return schema.safeParse(metadata).data?.vivarium ?? {};
}
