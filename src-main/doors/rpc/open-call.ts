import type { z } from 'zod';
import {
  STREAM_WINDOW,
  type CallShape,
  type HandlerContext,
  type StreamShape,
} from '../../contract/index.ts';
import { AnswerFault } from './error-frame.ts';
import { firstIssue } from './read-frame.ts';
import { createStreamWindow, type StreamWindow } from './stream-window.ts';

/** A handler as dispatch sees it: the contract's types hold again once its schemas were applied. */
export type AnyHandler = (
  input: unknown,
  context: HandlerContext,
) => Promise<unknown> | AsyncGenerator<unknown, unknown, void>;

/** One question that has not been answered in full, or whose handler has not ended. */
export interface OpenCall {
  id: number;
  name: string;
  shape: CallShape | StreamShape;
  handler: AnyHandler;
  input: unknown;
  controller: AbortController;
  window: StreamWindow;
  /** The last frame for this id was sent. */
  answered: boolean;
}

export function openCall(
  facts: Pick<OpenCall, 'id' | 'name' | 'shape' | 'handler' | 'input'>,
): OpenCall {
  const controller = new AbortController();
  const window = createStreamWindow(STREAM_WINDOW);
  // A pump that waits for room has to see that it is over.
  controller.signal.addEventListener('abort', () => window.open(), { once: true });
  return { ...facts, controller, window, answered: false };
}

/** Runs the handler and returns its valid output; items go out one by one, each when the last left. */
export async function runHandler(
  call: OpenCall,
  sendItem: (item: unknown) => Promise<void>,
): Promise<unknown> {
  const { shape, handler, input, controller } = call;
  const running = handler(input, { signal: controller.signal });
  const output =
    shape.kind === 'stream'
      ? await pump(call, shape.item, running as AsyncGenerator<unknown, unknown, void>, sendItem)
      : await running;
  return checked(shape.output, output, 'output');
}

async function pump(
  { window, controller }: OpenCall,
  item: z.ZodType,
  generator: AsyncGenerator<unknown, unknown, void>,
  sendItem: (item: unknown) => Promise<void>,
): Promise<unknown> {
  try {
    for (;;) {
      await window.take();
      controller.signal.throwIfAborted();
      const next = await generator.next();
      if (next.done === true) return next.value;
      await sendItem(checked(item, next.value, 'item'));
    }
  } finally {
    // Its own `finally` runs; one that is done already ignores it.
    await generator.return(undefined);
  }
}

function checked(schema: z.ZodType, value: unknown, what: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AnswerFault(`${what}: ${firstIssue(parsed.error)}`);
}
