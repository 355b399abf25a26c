import { fmix32, GOLDEN, TWO_TO_32 } from '../experiment/hash32.ts';

/** Numbers from 0 up to 1 that follow from a seed. */
export function createRandom(seed: number): () => number {
  let state = fmix32(seed >>> 0);
  return () => {
    state = (state + GOLDEN) >>> 0;
    return fmix32(state) / TWO_TO_32;
  };
}

/** The items in an order that follows from the random numbers. Source: Fisher and Yates. */
export function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j] as T, all[i] as T];
  }
  return all;
}
