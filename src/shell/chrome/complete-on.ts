import type { CDPSession } from 'puppeteer-core';
import { UsageError } from '../../core/messages.ts';
import { watchMark, watchSelector } from './in-page.ts';

/** How often an expression is asked, ms: twice a frame at 60 Hz. An expression cannot be waited for, only asked. */
const ASK_EVERY_MS = 8;

/** The world in which Quiesce's own scripts run, so that pages do not see them. */
export const WORLD = 'quiesce';
const BINDING = '__quiesceComplete';

/**
 * Watches for the page's own mark in every document that the session loads.
 *
 * Rejects with a `UsageError` when it is a selector that the browser refuses.
 *
 * @param met receives the time of the mark, ms since that document's time origin
 */
export async function watchCompleteOn(
  session: CDPSession,
  completeOn: string,
  met: (sinceTimeOrigin: number) => void,
): Promise<void> {
  session.on('Runtime.bindingCalled', (event) => {
    const at = Number(event.payload);
    if (event.name === BINDING && Number.isFinite(at)) met(at);
  });
  const expression = completeOn.startsWith('js:');
  if (!expression && !completeOn.startsWith('mark:')) await checkSelector(session, completeOn);
  await Promise.all([
    session.send('Runtime.enable'),
    // The expression speaks of the page's own variables, so it has to be asked in the page's world.
    session.send('Runtime.addBinding', expression ? { name: BINDING } : { name: BINDING, executionContextName: WORLD }),
    session.send('Page.addScriptToEvaluateOnNewDocument', {
      source: sourceFor(completeOn),
      ...(expression ? {} : { worldName: WORLD }),
    }),
  ]);
}

/** Only a browser knows what it takes for a selector; a wrong one would be waited for until the time-out. */
async function checkSelector(session: CDPSession, selector: string): Promise<void> {
  const expression = `document.querySelector(${JSON.stringify(selector)})`;
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression });
  if (!exceptionDetails) return;
  throw new UsageError('option-invalid', { option: '--complete-on', detail: `"${selector}" is not a CSS selector` });
}

function sourceFor(completeOn: string): string {
  if (completeOn.startsWith('js:')) {
    // Written into the script, not evaluated in it: the page's content security policy may forbid eval.
    const expression = completeOn.slice('js:'.length);
    return `(() => {
      if (window.top !== window) return;
      const report = window[${JSON.stringify(BINDING)}];
      delete window[${JSON.stringify(BINDING)}];
      const ask = () => (
        ${expression}
      );
      const timer = setInterval(() => {
        let met = false;
        try { met = Boolean(ask()); } catch {}
        if (!met) return;
        clearInterval(timer);
        report(String(performance.now()));
      }, ${ASK_EVERY_MS});
    })()`;
  }
  const [watch, subject] = completeOn.startsWith('mark:')
    ? [watchMark, completeOn.slice('mark:'.length)]
    : [watchSelector, completeOn];
  return `(${watch})(${JSON.stringify(subject)}, ${JSON.stringify(BINDING)})`;
}
