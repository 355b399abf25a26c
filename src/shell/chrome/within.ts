/** How long a page whose main thread is stuck may take to answer a last question, ms. */
export const LAST_WORD_MS = 5_000;

/** The value, or undefined when it does not come in time or fails: a last word is wanted, not needed. */
export async function within<T>(ms: number, value: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([value.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
