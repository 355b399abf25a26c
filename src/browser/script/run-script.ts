import type { Page } from 'puppeteer-core';
import type { RunnableScript, ScriptOf, ScriptPage } from '../../model/recording/script.ts';
import { type PuppeteerPage, pageOver } from './puppeteer-pages.ts';

/** A script as it is run in this process, with a Puppeteer of its own for each use. */
export function inThisProcess({ before, measure }: ScriptOf<Page>): RunnableScript {
  return {
    ...(before && { before: (page, context) => inPage(page, (own) => before(own, context)) }),
    ...(measure && {
      measure: (page, step, context) =>
        inPage(page, (own) => measure(own, (name, action) => step(name, action, new Error(name)), context)),
    }),
    // Nothing in this process can be ended from outside.
    end: () => undefined,
  };
}

async function inPage({ browserContextId, timeout, wire }: ScriptPage, work: (page: Page) => unknown): Promise<void> {
  let taken: PuppeteerPage | undefined;
  try {
    taken = await pageOver(wire, browserContextId);
    taken.page.setDefaultTimeout(timeout);
    await work(taken.page);
  } finally {
    await taken?.release();
  }
}
