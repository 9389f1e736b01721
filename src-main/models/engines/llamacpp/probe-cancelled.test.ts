import { expect, it } from 'vitest';
import { createLlamaCppEngine } from './server-engine.ts';

it('a look that is cancelled rejects and throws nothing: others are under way beside it', async () => {
  const signal = AbortSignal.abort(new Error('cancelled'));
  // The profile is not read by this engine.
  const asked = createLlamaCppEngine().probe({} as never, { env: {}, signal });
  await expect(asked).rejects.toThrow('cancelled');
});
