import { z } from 'zod';
import { doctorRowSchema } from '../results.ts';
import { call, stream } from '../rpc.ts';

const empty = z.object({});

export const imageSchema = z.object({
  reference: z.string(),
  id: z.string(),
  bytes: z.number(),
  createdAt: z.number(),
});

/** Disk that is ours, by what it is for. */
export const diskUseSchema = z.object({
  home: z.string(),
  freeBytes: z.number(),
  /** False when there was too much to look at in time: sizes are at least what is told. */
  complete: z.boolean(),
  parts: z.array(
    z.object({
      name: z.enum([
        'record',
        'snapshots',
        'models',
        'patches',
        'logs',
        'cache',
        'images',
        'other',
      ]),
      bytes: z.number(),
    }),
  ),
});

export const cleanedSchema = z.object({
  containers: z.number(),
  volumes: z.number(),
  snapshots: z.number(),
  bytes: z.number(),
  servers: z.unknown(),
  unreached: z.string().optional(),
});

export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark', 'contrast']).default('system'),
  /** Of the whole interface, in percent. */
  zoom: z.number().int().min(60).max(200).default(100),
  notifications: z.boolean().default(true),
  /** Used by a new fix where nothing else is said. */
  defaults: z
    .object({
      model: z.string().nullable().default(null),
      attempts: z.number().int().positive().default(1),
      memoryBytes: z.number().positive().nullable().default(null),
      cpus: z.number().positive().nullable().default(null),
    })
    .prefault({}),
  /** Action to keys, where a person changed them. */
  shortcuts: z.record(z.string(), z.string()).default({}),
  /** Where the app's own window was last, in the screen's units. */
  window: z
    .object({
      x: z.number().int(),
      y: z.number().int(),
      width: z.number().int().positive(),
      height: z.number().int().positive(),
      maximized: z.boolean(),
    })
    .optional(),
});

export const ENVIRONMENT_CALLS = {
  'environment/doctor': call(empty, z.array(doctorRowSchema)),
  'environment/images': call(empty, z.array(imageSchema)),
  'environment/importImage': call(z.object({ file: z.string().min(1) }), z.array(z.string())),
  'environment/buildImage': stream(
    z.object({ tag: z.string().optional(), packages: z.array(z.string()).optional() }),
    z.object({ line: z.string() }),
    z.object({ reference: z.string() }),
  ),
  'environment/disk': call(empty, diskUseSchema),
  'environment/clean': call(empty, cleanedSchema),
  'settings/get': call(empty, settingsSchema),
  'settings/set': call(settingsSchema.partial(), settingsSchema),
  /** Text that is not sent yet, by where it was typed; `null` removes. */
  'drafts/get': call(
    z.object({ key: z.string().max(200) }),
    z.object({ text: z.string().nullable() }),
  ),
  'drafts/set': call(
    z.object({ key: z.string().max(200), text: z.string().max(1_000_000).nullable() }),
    empty,
  ),
  about: call(
    empty,
    z.object({
      version: z.string(),
      home: z.string(),
      node: z.string(),
      platform: z.string(),
      /** Memory of this process in bytes. */
      memoryBytes: z.number(),
      licences: z.array(z.object({ name: z.string(), version: z.string(), licence: z.string() })),
    }),
  ),
  /** What the licence files of one of those libraries say; `null` where it brings none. */
  'about/licence': call(
    z.object({ name: z.string(), version: z.string() }),
    z.object({ text: z.string().nullable() }),
  ),
};

export type Settings = z.infer<typeof settingsSchema>;
export type DiskUse = z.infer<typeof diskUseSchema>;
export type ImageRow = z.infer<typeof imageSchema>;
