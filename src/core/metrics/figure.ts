/** The figure of a metric that is known by its name alone, as in a comparison or a stored result. */
export function figureOf<T>(figures: Readonly<Partial<Record<string, T>>> | undefined, metric: string): T | undefined {
  return figures !== undefined && Object.hasOwn(figures, metric) ? figures[metric] : undefined;
}
