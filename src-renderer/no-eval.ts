import { config } from 'zod/v4';

// The content security policy forbids `eval`; without this zod would try it, and be reported, when
// the first schema is made. The build puts this file in the place of `zod`, so that no schema can
// come before it, however the code is split.
config({ jitless: true });

export * from 'zod/v4';
