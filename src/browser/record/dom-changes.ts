import { DOM_CHANGES, noteDomChanges } from './in-page.ts';
import { ISOLATED_WORLD } from './isolated-world.ts';
import type { BeforeStart } from './targets.ts';

/** Changes of the document that are kept; a page that has had more changes all the time. */
const MAX_DOM_CHANGES = 2_000;

/** Notes when scripts change what the document shows. */
export const watchDom: BeforeStart = (session, kind) => {
  if (kind !== 'page') return;
  const source = `(${noteDomChanges})(${JSON.stringify(DOM_CHANGES)}, ${MAX_DOM_CHANGES})`;
  session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: ISOLATED_WORLD }).catch(() => undefined);
};
