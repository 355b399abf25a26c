import { slugOf, uniqueSlugs } from '../../../core/text/slug.ts';
import { PAGES_FOLDER } from '../../../result/pages-with-steps.ts';
import type { StoredComparison } from '../compare-state.ts';
import type { PageToCompare } from '../pages.ts';

/**
 * Names a folder beside result.json for each step of each page, whenever one is first asked for.
 *
 * @param stored by page: what was begun before, so that its steps keep their folders
 */
export function createStepFolders(
  pages: readonly PageToCompare[],
  stored: readonly (StoredComparison | undefined)[] = [],
): (page: PageToCompare, step: string) => string {
  const ofPages = pages.map(({ folder }) => folder.slice(PAGES_FOLDER.length + 1));
  const keys: string[] = [];
  const slugs: string[] = [];
  const folderFor = ({ folder, isOnly }: PageToCompare, step: string): string => {
    const key = JSON.stringify([folder, step]);
    if (!keys.includes(key)) {
      const prefix = isOnly ? '' : `${folder.slice(PAGES_FOLDER.length + 1)}-`;
      keys.push(key);
      slugs.push(`${prefix}${slugOf(step) || 'step'}`);
    }
    const own = uniqueSlugs([...ofPages, ...slugs])[ofPages.length + keys.indexOf(key)];
    return `${PAGES_FOLDER}/${own}`;
  };
  for (const [i, page] of pages.entries()) {
    for (const { name } of stored?.[i]?.head.steps ?? []) folderFor(page, name);
  }
  return folderFor;
}
