/** What a command does once its options are read; returns the exit code. */
export type Action = () => Promise<number>;
