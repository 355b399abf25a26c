/**
 * How likely it is that `hits` or more of `tries` fall into a part of the time by chance, when that part is `share` of
 * all: the upper tail of the binomial distribution, 0 to 1.
 */
export function binomialTail(hits: number, tries: number, share: number): number {
  if (hits <= 0) return 1;
  if (share <= 0) return 0;
  if (share >= 1) return 1;
  let total = 0;
  // In logarithms: a film may hold hundreds of changes.
  let term = tries * Math.log1p(-share);
  for (let i = 0; i <= tries; i += 1) {
    if (i >= hits) total += Math.exp(term);
    term += Math.log((tries - i) / (i + 1)) + Math.log(share) - Math.log1p(-share);
  }
  return Math.min(1, total);
}
