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

/** A scaffold that comes with the app. */
export const scaffoldSchema = z.object({
  /** What `scaffold` of a new fix names it by. */
  name: z.string(),
  title: z.string(),
  /** One sentence; empty when there is none. */
  description: z.string(),
  /** Who is driven by it where nobody names another: kinds of models, and models of the library. */
  usedBy: z.object({ presets: z.array(z.string()), models: z.array(z.string()) }),
  limits: z.object({
    maxSteps: z.number(),
    maxContextTokens: z.number(),
    maxTokensPerTurn: z.number(),
    timeLimitMs: z.number(),
  }),
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
  /** What a fix can be driven by, for people to choose from; a path of a scaffold file works too. */
  'models/scaffolds': call(empty, z.array(scaffoldSchema)),
};

export type ScaffoldRow = z.infer<typeof scaffoldSchema>;
export type PlanView = z.infer<typeof planViewSchema>;
