export * from './error-codes.ts';
export * from './events.ts';
export * from './exit-reasons.ts';
export * from './least-limits.ts';
export * from './models.ts';
export * from './results.ts';
export * from './review-flags.ts';
export * from './sampling.ts';
