import type { Evidence } from '../../../model/result/result.ts';
import { storedName } from '../../../wording/text/text.ts';

/** Every picture that the evidence names, by its path beside the result. What leads elsewhere is none. */
export function picturesOf(evidence: Evidence | undefined): readonly string[] {
  if (evidence === undefined) return [];
  const { pictures, film = [], ablation } = evidence;
  const proof = ablation === undefined ? [] : Object.values(ablation.pictures);
  const all = [...pictures.map(({ file }) => file), ...film.map(({ file }) => file), ...proof];
  return [...new Set(all)].flatMap((file) => storedName('picture', file) ?? []);
}
