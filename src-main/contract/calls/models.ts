import { z } from 'zod';
import {
  addProgressSchema,
  benchResultSchema,
  libraryModelSchema,
  machineSchema,
  planReportSchema,
  serverSampleSchema,
  serverStatusSchema,
  verifyResultSchema,
} from '../models.ts';
import { call, stream } from '../rpc.ts';

const name = z.string().min(1);
const overrides = z.record(z.string(), z.unknown()).optional();
const empty = z.object({});

/** A profile as its YAML members; the schema proper is the models room's. */
const profile = z.record(z.string(), z.unknown());

/** With the command line that would be started, key blacked out; `null` when no engine was found. */
export const planViewSchema = planReportSchema.extend({
  commandLine: z.array(z.string()).nullable(),
});

export const MODEL_CALLS = {
  'models/list': call(
    empty,
    z.array(z.object({ model: libraryModelSchema, status: serverStatusSchema })),
  ),
  'models/add': stream(
    z.object({
      path: z.string().min(1),
      name: z.string().optional(),
      copy: z.boolean().optional(),
    }),
    addProgressSchema,
    libraryModelSchema,
  ),
  'models/verify': stream(z.object({ name }), addProgressSchema, verifyResultSchema),
  'models/remove': call(z.object({ name }), z.object({ deletedBytes: z.number() })),
  'models/rename': call(z.object({ name, to: name }), libraryModelSchema),
  'models/profile': call(z.object({ name }), z.object({ profile, yaml: z.string() })),
  /** Members to replace, or the whole YAML. */
  'models/setProfile': call(
    z.object({ name, overrides, yaml: z.string().optional() }),
    z.object({ profile, yaml: z.string(), notes: z.array(z.string()) }),
  ),
  'models/plan': call(z.object({ name, overrides }), planViewSchema),
  /** States as they come; the last is the one it is ready (or was found running) in. */
  'models/start': stream(
    z.object({ name, overrides, force: z.boolean().optional() }),
    serverStatusSchema,
    serverStatusSchema,
  ),
  'models/stop': call(z.object({ name, force: z.boolean().optional() }), serverStatusSchema),
  /** State and newest look, each second while it is asked for. `null` = all servers. */
  'models/watch': stream(
    z.object({ name: z.string().nullable().default(null) }),
    z.array(z.object({ status: serverStatusSchema, sample: serverSampleSchema.nullable() })),
    empty,
  ),
  'models/samples': call(z.object({ name, since: z.number() }), z.array(serverSampleSchema)),
  'models/logs': stream(
    z.object({ name, lines: z.number().int().positive().max(5_000).default(500) }),
    z.array(z.string()),
    empty,
  ),
  'models/bench': stream(z.object({ name }), z.object({ text: z.string() }), benchResultSchema),
  'models/machine': call(empty, machineSchema),
};

export type PlanView = z.infer<typeof planViewSchema>;
