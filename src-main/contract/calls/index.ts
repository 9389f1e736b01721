import type { z } from 'zod';
import type { CallShape, StreamShape } from '../rpc.ts';
import { ENVIRONMENT_CALLS } from './environment.ts';
import { JOB_CALLS } from './jobs.ts';
import { MODEL_CALLS } from './models.ts';
import { REPOSITORY_CALLS } from './repositories.ts';
import { REVIEW_CALLS } from './review.ts';
import { SESSION_CALLS } from './sessions.ts';

export * from './environment.ts';
export * from './jobs.ts';
export * from './models.ts';
export * from './repositories.ts';
export * from './review.ts';
export * from './sessions.ts';

/** Everything a door can ask the core, by name. Checked at run time on both sides. */
export const CONTRACT = {
  ...SESSION_CALLS,
  ...REVIEW_CALLS,
  ...REPOSITORY_CALLS,
  ...MODEL_CALLS,
  ...ENVIRONMENT_CALLS,
  ...JOB_CALLS,
} satisfies Record<string, CallShape | StreamShape>;

export type Contract = typeof CONTRACT;
export type CallName = {
  [N in keyof Contract]: Contract[N] extends CallShape ? N : never;
}[keyof Contract];
export type StreamName = Exclude<keyof Contract, CallName>;

/** As a client writes it: members with defaults may be left out. */
export type InputOf<N extends keyof Contract> = z.input<Contract[N]['input']>;
/** As a handler reads it. */
export type ParsedInputOf<N extends keyof Contract> = z.output<Contract[N]['input']>;
export type OutputOf<N extends keyof Contract> = z.output<Contract[N]['output']>;
export type ItemOf<N extends StreamName> = z.output<Contract[N]['item']>;

/** What a handler is given besides its input. */
export interface HandlerContext {
  /** Aborted when the client cancels or its connection is gone for good. */
  signal: AbortSignal;
}

/** One function per name; the core has one file of them per domain. */
export type Handlers = {
  [N in CallName]: (input: ParsedInputOf<N>, context: HandlerContext) => Promise<OutputOf<N>>;
} & {
  [N in StreamName]: (
    input: ParsedInputOf<N>,
    context: HandlerContext,
  ) => AsyncGenerator<ItemOf<N>, OutputOf<N>, void>;
};
