import { z } from 'zod';
import { serverStatusSchema } from '../../contract/index.ts';

/** What `state.json` has to be before anything is believed of it. */
export const recordSchema = serverStatusSchema.extend({
  proof: z
    .object({
      pid: z.number(),
      group: z.number(),
      startTicks: z.string(),
      bootId: z.string(),
      executable: z.string().nullable(),
      argvSha256: z.string(),
      nonce: z.string(),
      container: z.object({ name: z.string(), remover: z.string() }).nullable(),
    })
    .nullable(),
});
