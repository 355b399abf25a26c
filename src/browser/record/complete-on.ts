import type { CDPSession } from 'puppeteer-core';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { watchMark, watchSelector } from './in-page.ts';
import { ISOLATED_WORLD } from './isolated-world.ts';

/** How often an expression is evaluated, ms: twice a frame at 60 Hz. Its change cannot be observed. */
const POLL_EVERY_MS = 8;

const BINDING = '__quiesceComplete';

/**
 * Watches for `--complete-on` in every document that the session loads.
 *
 * Rejects with the `QuiesceError` `option-invalid` for a selector that the browser refuses.
 *
 * @param met called with the time at which it was met, ms since that document's time origin
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
    // An expression may use the page's own variables: it has to run in the page's world.
    session.send(
      'Runtime.addBinding',
      expression ? { name: BINDING } : { name: BINDING, executionContextName: ISOLATED_WORLD },
    ),
    session.send('Page.addScriptToEvaluateOnNewDocument', {
      source: sourceFor(completeOn),
      ...(expression ? {} : { worldName: ISOLATED_WORLD }),
    }),
  ]);
}

/** Only the browser can check a selector. Without this, a wrong one would be waited for until the time-out. */
async function checkSelector(session: CDPSession, selector: string): Promise<void> {
  const expression = `document.querySelector(${JSON.stringify(selector)})`;
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression });
  if (!exceptionDetails) return;
  throw new QuiesceError('option-invalid', {
    option: '--complete-on',
    detail: `"${selector}" is not a CSS selector`,
  });
}

function sourceFor(completeOn: string): string {
  if (completeOn.startsWith('js:')) {
    // Part of the script, not evaluated by it: the page's content security policy may forbid eval.
    const expression = completeOn.slice('js:'.length);
    return `(() => {
      if (window.top !== window) return;
      const report = window[${JSON.stringify(BINDING)}];
      delete window[${JSON.stringify(BINDING)}];
      const evaluate = () => (
        ${expression}
      );
      const timer = setInterval(() => {
        let met = false;
        try { met = Boolean(evaluate()); } catch {}
        if (!met) return;
        clearInterval(timer);
        report(String(performance.now()));
      }, ${POLL_EVERY_MS});
    })()`;
  }
  const [watch, subject] = completeOn.startsWith('mark:')
    ? [watchMark, completeOn.slice('mark:'.length)]
    : [watchSelector, completeOn];
  return `(${watch})(${JSON.stringify(subject)}, ${JSON.stringify(BINDING)})`;
}
