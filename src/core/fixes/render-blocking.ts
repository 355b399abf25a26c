import { isBlocking } from '../rendering/blocking.ts';
import { contributors, type Fix, urlsOf } from './fix.ts';

/** Files that are tried one by one, the last to come first. */
const TRIED = 20;

/** Scripts and style sheets that hold up what comes after them in the document, though it could go on without. */
export const renderBlocking: Fix = (load) => {
  const blocking = load.steps
    .filter(({ request }) => isBlocking(request, load.initiators))
    .toSorted((a, b) => b.broughtAt - a.broughtAt)
    .slice(0, TRIED);
  const { steps, savesMs } = contributors(load, blocking, (freed) => ({ freed: new Set(freed) }));
  if (steps.length === 0) return [];
  const scripts = steps.filter(({ request }) => request.type === 'script').length;
  return [
    {
      code: 'render-blocking',
      urls: urlsOf(steps),
      savesMs,
      facts: { scripts, styles: steps.length - scripts },
    },
  ];
};
