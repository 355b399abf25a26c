import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../src/core/completion/default-policy.ts';
import { visitOf } from '../../../src/core/measure.ts';
import type { HarRecording } from '../../../src/core/sources/har.ts';
import { gapsOf } from '../../../src/core/sources/har-gaps.ts';
import { recordingOfHar } from '../../../src/core/sources/har-recording.ts';
import { DOCUMENT, readEntries, SITE, type Written } from '../../support/har-entries.ts';

const of = (page: string): Pick<Written, 'sent'> => ({ sent: { Referer: SITE + page } });
const picture = (url: string, at: number, page: string): Written => ({ url, at, mimeType: 'image/png', ...of(page) });
const icon = (at: number): Written => ({ url: '/favicon.ico', at, mimeType: 'image/x-icon' });
const LAMP = picture('/lamp.png', 150, '/');
/** What a link opens, a while later, and a picture of it. */
const OFFERS: Written = { ...DOCUMENT, url: '/offers', at: 2_400, sent: { ...DOCUMENT.sent, Referer: `${SITE}/` } };
const OFFER = picture('/offer.png', 2_600, '/offers');

const FIRST = ['/', '/lamp.png'];
const ALL = ['/', '/lamp.png', '/offers', '/offer.png'];

const pathsOf = ({ events }: HarRecording): readonly string[] =>
  events.flatMap((event) => (event.kind === 'request' ? [event.url.replace(SITE, '')] : []));

/** The paths that belong to the page. */
const pathsIn = (entries: readonly Written[], page?: object, more?: object): readonly string[] =>
  pathsOf(readEntries(entries, page, more));

describe('where the tab goes on under the same page of a file', () => {
  it('another load begins, which is left out and said', () => {
    const read = readEntries([DOCUMENT, LAMP, OFFERS, OFFER], { pageTimings: { onLoad: 2_900 } });
    expect(pathsOf(read)).toEqual(FIRST);
    const visit = visitOf(recordingOfHar(read), DEFAULT_POLICY);
    // The load event is that of the last page.
    expect(visit.complete).toMatchObject({ state: 'unconfirmed', at: 190, waitingFor: [{ code: 'load-event' }] });
    const own = { missing: 'own-page', url: `${SITE}/offers`, at: 2_400, entries: 2 };
    expect(gapsOf(read, visit, DEFAULT_POLICY).map(({ facts }) => facts)).toContainEqual(own);
  });

  it('the page was watched until then', () => {
    const later = (each: Written): Written => ({ ...each, at: each.at + 20_000 });
    const read = readEntries([DOCUMENT, LAMP, later(OFFERS), later(OFFER)]);
    expect(visitOf(recordingOfHar(read), DEFAULT_POLICY).complete).toMatchObject({ state: 'complete', at: 400 });
    expect(read.observedUntil).toBe(22_400);
  });

  it('it may come back, be redirected, and load the same again', () => {
    expect(pathsIn([DOCUMENT, LAMP, OFFERS, OFFER, { ...DOCUMENT, at: 6_000 }, picture('/x.png', 6_200, '/')])).toEqual(
      FIRST,
    );
    const moved: Written = { ...OFFERS, url: '/sale', status: 302, received: { Location: '/offers' } };
    expect(pathsIn([DOCUMENT, LAMP, moved, { ...OFFERS, at: 2_500 }, OFFER])).toEqual(FIRST);
    expect(pathsIn([DOCUMENT, LAMP, { ...DOCUMENT, at: 3_000 }, picture('/lamp.png', 3_200, '/')])).toEqual(FIRST);
  });

  it('is told by the destination that the browser names', () => {
    const to = (destination: string): Written => ({
      ...OFFERS,
      sent: { ...OFFERS.sent, 'Sec-Fetch-Dest': destination },
    });
    const late = picture('/late.png', 2_600, '/other');
    expect(pathsIn([DOCUMENT, LAMP, to('document'), late])).toEqual(FIRST);
    expect(pathsIn([DOCUMENT, LAMP, to('iframe'), OFFER])).toEqual(ALL);
  });

  it('is no frame: the page goes on asking, or markup named it', () => {
    expect(pathsIn([DOCUMENT, LAMP, OFFERS, OFFER, picture('/lamp-2.png', 2_700, '/')])).toContain('/offers');
    expect(pathsIn([DOCUMENT, LAMP, { ...OFFERS, more: { _initiator: { type: 'parser' } } }, OFFER])).toEqual(ALL);
  });

  it('is nothing that the page asks for while it is loaded, or that is fetched ahead', () => {
    const soon = (each: Written): Written => ({ ...each, at: each.at - 1_500 });
    expect(pathsIn([DOCUMENT, LAMP, soon(OFFERS), soon(OFFER)])).toEqual(ALL);
    const ahead = { ...OFFERS, sent: { ...OFFERS.sent, 'Sec-Purpose': 'prefetch' } };
    expect(pathsIn([DOCUMENT, LAMP, ahead])).toContain('/offers');
  });

  it('soon is told by the icon of the tab, which is asked for again', () => {
    const soon = (each: Written): Written => ({ ...each, at: each.at - 1_900 });
    const both = [DOCUMENT, LAMP, icon(200), soon(OFFERS), soon(OFFER)];
    expect(pathsIn([...both, icon(800)])).toEqual([...FIRST, '/favicon.ico']);
    expect(pathsIn(both)).toContain('/offers');
  });

  it('is told by the icon alone where the file has no headers', () => {
    const bare = ({ sent: _sent, ...each }: Written): Written => each;
    const both = [DOCUMENT, LAMP, icon(200), OFFERS, OFFER].map(bare);
    expect(pathsIn([...both, icon(2_800)])).toEqual([...FIRST, '/favicon.ico']);
    expect(pathsIn(both)).toContain('/offers');
  });

  it('has a page of its own in files of DevTools, but for what led to that one', () => {
    const creator = { name: 'WebInspector', version: '537.36' };
    expect(pathsIn([DOCUMENT, LAMP, OFFERS, OFFER], {}, { creator })).toEqual(ALL);
    const own = { id: 'p', title: `${SITE}/`, startedDateTime: '2025-05-05T08:00:00.000Z', pageTimings: {} };
    const next = { ...own, id: 'q', title: `${SITE}/shop`, startedDateTime: '2025-05-05T08:00:02.505Z' };
    expect(pathsIn([DOCUMENT, LAMP, { ...OFFERS, url: '/go?to=shop' }], {}, { creator, pages: [own, next] })).toEqual(
      FIRST,
    );
  });
});
