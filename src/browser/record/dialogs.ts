import type { CDPSession } from 'puppeteer-core';
import { cutTo } from '../../core/text/cut-to.ts';
import type { IncidentFact } from '../../model/result/finding.ts';

/** Letters that are kept of what a dialog asks. */
const LONGEST_DIALOG = 200;

/** Answers the page's dialogs: leaving is allowed, questions are declined, for there is no user to answer them. */
export function answerDialogs(page: CDPSession, noted: (fact: IncidentFact) => void): void {
  page.on('Page.javascriptDialogOpening', async ({ type, message }) => {
    const accept = type === 'beforeunload' || type === 'alert';
    await page.send('Page.handleJavaScriptDialog', { accept }).catch(() => undefined);
    noted({ code: 'dialog', facts: { type, accepted: accept, text: cutTo(message, LONGEST_DIALOG) } });
  });
}
