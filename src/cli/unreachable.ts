/** For the end of a `switch` over a union: reached only by a bug. */
export function unreachable(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}
