/** Seeded random numbers for simulations: the same everywhere, however the work is divided. */
export interface Random {
  /** From 0 up to 1. */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
}

/** One stream for each list of whole numbers. Source: PractRand's sfc32 by Doty-Humphrey; Marsaglia's polar method. */
export function randomFor(...key: readonly number[]): Random {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  const next = (): number => {
    const drawn = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + drawn) | 0;
    return drawn >>> 0;
  };
  for (const part of key) {
    a ^= part | 0;
    b ^= Math.floor(part / 2 ** 32) | 0;
    // So that neighbouring keys have nothing in common.
    for (let i = 0; i < 12; i += 1) next();
  }
  const uniform = (): number => next() / 2 ** 32;
  let spare: number | undefined;
  const normal = (): number => {
    if (spare !== undefined) {
      const kept = spare;
      spare = undefined;
      return kept;
    }
    for (;;) {
      const [x, y] = [2 * uniform() - 1, 2 * uniform() - 1];
      const square = x * x + y * y;
      if (square === 0 || square >= 1) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * scale;
      return x * scale;
    }
  };
  return { uniform, normal };
}
