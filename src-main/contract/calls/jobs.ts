import { z } from 'zod';
import { call } from '../rpc.ts';

/**
 * Streams that are work of the core and not of who watches: they go on when nobody does, whoever asks
 * for the same again watches it too, and a page that lost one finds it here. They end by themselves,
 * by `jobs/cancel`, by a `cancel` frame of somebody who watches, and with the core.
 */
export const JOB_NAMES = [
  'models/add',
  'models/verify',
  'models/start',
  'models/bench',
  'environment/buildImage',
] as const;

export type JobName = (typeof JOB_NAMES)[number];

const jobFields = {
  name: z.enum(JOB_NAMES),
  /** What it is about: a model's name, a path, an image's tag. Only one job of a name has it. */
  subject: z.string(),
};

export const jobSchema = z.object({
  ...jobFields,
  /** Epoch ms. */
  startedAt: z.number(),
  /** What the stream was asked with: asking so again watches it. */
  input: z.record(z.string(), z.unknown()),
});

export const JOB_CALLS = {
  /** Those that run now, oldest first. */
  'jobs/list': call(z.object({}), z.array(jobSchema)),
  /** Resolves when it has ended, and undone what a cancel undoes; `false` = there was none. */
  'jobs/cancel': call(z.object(jobFields), z.object({ cancelled: z.boolean() })),
};

export type Job = z.infer<typeof jobSchema>;
