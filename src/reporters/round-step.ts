/** The next of 1, 2, 5, 10, 20 … times a power of ten: a distance of ticks that is easy to read. */
export function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
}
