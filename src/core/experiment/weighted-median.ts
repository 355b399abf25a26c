/** The value that half of the weight lies below; half-way between two where it lies between them. Undefined for none. */
export function weightedMedian(
  values: readonly { readonly value: number; readonly weight: number }[],
): number | undefined {
  const sorted = values.toSorted((one, other) => one.value - other.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let below = 0;
  for (const [i, { value, weight }] of sorted.entries()) {
    below += weight;
    if (below > half) return value;
    if (below === half) return (value + (sorted[i + 1]?.value ?? value)) / 2;
  }
  return undefined;
}
