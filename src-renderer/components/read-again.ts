/** Pauses before the next tries: a network of the machine that comes or goes breaks what is being read. */
export const AGAIN_AFTER_MS = [200, 1_000, 3_000];

/** Reads again where that was cut off. Rejects with what the last try rejected with. */
export async function readAgain<T>(read: () => Promise<T>, pauses: readonly number[]): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const [pause, ...rest] = pauses;
    if (pause === undefined) throw error;
    await new Promise((resolve) => {
      setTimeout(resolve, pause);
    });
    return readAgain(read, rest);
  }
}
