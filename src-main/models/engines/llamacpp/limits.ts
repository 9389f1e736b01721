/** Figures of our llama.cpp server that its plan has to count with as well. */

/** Below this a model answers faster on a processor core than a graphics driver takes to start. */
export const GPU_MIN_BYTES = 64 * 1024 ** 2;

/** Rewind points of models that cannot be rewound freely; each is up to some 50 MiB of memory. */
export const CHECKPOINTS = { max: 16, interval: 8_192, maxMemory: 1024 ** 3 };
