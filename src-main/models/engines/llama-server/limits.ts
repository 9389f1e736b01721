/** Figures of a llama-server that its plan has to count with as well. */

/** Kept at most of conversations that no slot holds; llama-server's own default is 8 GiB. */
export const MOST_CACHE_MIB = 2_048;

/** llama-server's own default for a slot. */
export const MOST_CHECKPOINTS = 32;
