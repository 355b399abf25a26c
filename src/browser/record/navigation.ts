import type { CDPSession, Protocol } from 'puppeteer-core';
import { withoutQueryAndHash } from '../../core/requests/address-parts.ts';
import { documentFault, navigationFault } from '../../core/requests/load-failure.ts';
import type { NetworkEvent } from '../../model/network/network.ts';
import type { Request } from '../../model/network/timeline.ts';
import type { LoadRequest } from '../../model/recording/lab.ts';
import type { Failure } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { failure, loadFailure } from '../../wording/result/failure.ts';
import { firstLine } from '../connect/first-line.ts';
import type { NavigationClock } from './clocks/navigation.ts';
import type { Recorder } from './recorder.ts';

/** A page may replace itself so often by script. Chrome's own limit for HTTP redirects is 20, too. */
const MAX_CLIENT_REDIRECTS = 20;

/** The way of a page to its document. */
export interface PageNavigation {
  start(page: CDPSession): void;
  /** The browser has answered: there is a document, or a reason why there is none. */
  isAnswered(): boolean;
  /** The last hop of the document that is there now. */
  document(): Request | undefined;
  /** Why the document that is there is none to measure. */
  failure(): Failure | undefined;
  /** Called for each document of the page, before its mark is added. */
  documentCommitted(at: Ms): void;
  /** Called when the page has changed its address without another document. */
  movedWithinDocument(url: string): void;
  networkEvent(event: NetworkEvent): void;
}

/** @param failed called when there is nothing to watch for any more */
export function createNavigation(
  { url, policy }: LoadRequest,
  clock: NavigationClock,
  recorder: () => Recorder,
  failed: (why: Failure) => void,
): PageNavigation {
  /** Ids of the hops that were to become the page's document. */
  const documents = new Set<string>();
  let isAnswered = false;
  /** Where the page has gone within its document. */
  let address: string | undefined;

  const document = (): Request | undefined =>
    recorder()
      .timeline()
      .requests.findLast((each) => each.mainDocument && !each.fromPreviousDocument);
  const answered = ({ isDownload, errorText }: Protocol.Page.NavigateResponse): void => {
    isAnswered = true;
    if (isDownload) failed(loadFailure({ code: 'not-a-page', url, isDownload: true }));
    else if (errorText !== undefined) {
      // Nothing was committed, so no renderer knows when the navigation began. Its request does.
      clock.settle();
      failed(loadFailure(documentFault(url, document()) ?? navigationFault(url, errorText)));
    }
  };

  return {
    start(page) {
      page
        .send('Page.navigate', { url })
        .then(answered)
        .catch((error: unknown) => failed(failure('navigation-failed', { url, detail: firstLine(error) })));
    },
    isAnswered: () => isAnswered,
    document,
    failure() {
      const last = document();
      const fault = documentFault(url, last);
      if (fault) return loadFailure(fault);
      return last?.response ? undefined : failure('no-answer', { url, timeout: policy.timeout });
    },
    documentCommitted(at) {
      const before = recorder()
        .marks()
        .filter(({ name }) => name === 'document-commit').length;
      address = undefined;
      if (before === 0) return;
      recorder().addIncident({ code: 'client-redirect', facts: { after: at } });
      if (before >= MAX_CLIENT_REDIRECTS) failed(loadFailure({ code: 'redirect-loop', url, replaced: before }));
    },
    movedWithinDocument(url) {
      const from = address ?? document()?.url;
      address = url;
      // Fragments and queries are no other page.
      if (from === undefined || withoutQueryAndHash(from) === withoutQueryAndHash(url)) return;
      recorder().addIncident({ code: 'soft-navigation', facts: { url } });
    },
    /** Ends the load when the document is no page, or only a part of one. An error page may still reload itself. */
    networkEvent(event) {
      if (event.kind === 'request' && event.mainDocument) documents.add(event.id);
      if ((event.kind !== 'response' && event.kind !== 'failed') || !documents.has(event.id)) return;
      const fault = documentFault(url, document());
      if (fault && fault.code !== 'http-error') failed(loadFailure(fault));
    },
  };
}
