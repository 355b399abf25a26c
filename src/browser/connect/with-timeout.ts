/** How long a page whose main thread is busy may take to answer a last question, ms. */
export const FINAL_READ_TIMEOUT_MS = 5_000;

/** Resolves to the value, or to undefined when it is late or fails: for reads that a load can do without. */
export async function withTimeout<T>(value: Promise<T>, ms = FINAL_READ_TIMEOUT_MS): Promise<T | undefined> {
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
