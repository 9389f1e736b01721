import { config } from 'zod';

// The content security policy forbids `eval`; without this zod would try it, and be reported, when
// the first schema is made. So the page loads this file before any other.
config({ jitless: true });
