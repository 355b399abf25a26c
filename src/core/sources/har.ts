import type { Policy, Verdict } from '../../model/background/verdict.ts';
import type { TimingEntries } from '../../model/metrics/metrics.ts';
import type { HarFault } from '../../model/network/har-fault.ts';
import type { NetworkEvent, ResourceType } from '../../model/network/network.ts';
import type { Mark } from '../../model/network/timeline.ts';
import type {
  Evaluated,
  FrameThread,
  MainThreadSample,
  Navigation,
  WorkerThread,
} from '../../model/recording/recording.ts';
import type { Rendered } from '../../model/recording/rendered.ts';
import type { MissingLoad } from '../../model/result/finding.ts';
import type { RunRole } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { ENTRY } from '../har/own-entry.ts';
import { PAGE } from '../har/own-page.ts';
import { validateWritten } from '../har/validate.ts';
import { fromHarTimings } from '../rendering/page-timings.ts';
import { withoutHash } from '../requests/address-parts.ts';
import { type Fields, fields, finite, LONGEST_MS, list, MOST_BYTES, moment, text } from '../requests/har-fields.ts';
import { originOf } from '../requests/origin.ts';
import { defined } from '../text/defined.ts';
import { middleBy } from '../time/median.ts';
import { isNotOfPage } from './browser-own.ts';
import { documentOf } from './har-document.ts';
import { type Entry, type Hop, headersOf, initiatorOf, statusOf } from './har-entry.ts';
import { foreignHops } from './har-foreign.ts';
import { beforeTheLoad, LATE_MS, missingLoad } from './har-load.ts';
import { pageMarks } from './har-marks.ts';
import { nextDocument } from './har-next.ts';
import { exactHop } from './har-own.ts';
import { handshakeOf, startOf, type Zero } from './har-phases.ts';
import type { Maker } from './har-producers.ts';
import { guessedType } from './har-types.ts';

/** One page of a HAR, as if it had been watched. */
export interface HarRecording {
  /** Empty when the file has no pages: all its entries are taken for one then. */
  readonly pageId: string;
  readonly title: string;
  readonly navigation: Navigation;
  readonly finalUrl?: string;
  readonly events: readonly NetworkEvent[];
  readonly marks: readonly Mark[];
  /** Absent when the file does not tell of them. */
  readonly timings: TimingEntries;
  /** What the user's expressions gave; absent when the file does not tell. */
  readonly evaluated?: readonly Evaluated[];
  /** Empty when the file does not tell of it. */
  readonly mainThread: readonly MainThreadSample[];
  /** As the recording's. */
  readonly frameThreads?: readonly FrameThread[];
  readonly workerThreads?: readonly WorkerThread[];
  readonly rendered?: Rendered;
  /** What the file says; for files that do not say it, the last sign of life in them, and no longer. */
  readonly observedUntil: Ms;
  /** True when every time is exact and open requests are known as such: the file is Quiesce's own. */
  readonly exact: boolean;
  /** The tool that wrote the file: 'WebInspector' is DevTools. */
  readonly creator: string;
  readonly creatorVersion: string;
  /** Of the requests whose end the file does not tell, in order of start; they are open in `events`. */
  readonly endless: readonly string[];
  /** How many answers have no waiting time, so that they ended later than `events` say. */
  readonly unwaited: number;
  /** Entries of this page that could not be placed in time, and are missing in `events`. */
  readonly leftOut: number;
  /** What shows that it does not hold the load of the page; absent where it does. */
  readonly missingLoad?: MissingLoad;
  /** Where the tab went on to, though the file says that it is the same page; absent where it stayed. */
  readonly nextLoad?: NextLoad;
  /** How many of its parts say what cannot be: sizes, and times before the load. */
  readonly impossible: number;
  /** A second view with a warm cache (WebPageTest): another thing than the first. */
  readonly cached: boolean;
  /** What the run was for, when the file says that. */
  readonly role?: RunRole;
  /** How it was judged when it was recorded. */
  readonly policy?: Policy;
  readonly verdicts?: readonly Verdict[];
}

/** Another load in the same tab: what the file holds from there on is no part of the page. */
export interface NextLoad {
  readonly url: string;
  readonly at: Ms;
  /** How many entries are left out for it. */
  readonly entries: number;
}

/** What a HAR holds, and what is wrong with it. */
export interface HarReading {
  readonly recordings: readonly HarRecording[];
  readonly faults: readonly HarFault[];
}

/**
 * The pages of a HAR as recordings. Quiesce's own files give back exactly what was recorded; files of other tools
 * (DevTools, WebPageTest, browsertime, Playwright, Charles) as much as they say. Entries that cannot be placed in time
 * are left out and named in `faults`; so is everything that makes the file invalid, but what can be read is read.
 *
 * @param har the file's JSON, parsed
 */
export function readHar(har: unknown): HarReading {
  const faults = [...validateWritten(har)];
  const log = fields(fields(har).log);
  const dateOf = dateReader(log);
  const maker = makerOf(log);
  const pages = pagesOf(log, dateOf, maker);
  const byId = new Map(pages.map((page) => [page.id, page] as const));
  const groups = new Map<Page | undefined, Group>();
  const local = new Set<string>();
  for (const [index, item] of list(log.entries).entries()) {
    const own = fields(item);
    const page = pageOf(own, pages, byId, dateOf);
    const group = groups.get(page) ?? { entries: [], leftOut: 0, impossible: 0 };
    groups.set(page, group);
    const entry = entryOf(own, index, dateOf);
    if (typeof entry === 'string') {
      local.add(entry);
    } else if (entry && 'code' in entry) {
      faults.push(entry);
      group.leftOut += 1;
    } else if (entry) {
      group.entries.push(entry);
      const impossible = impossibleFigures(entry);
      faults.push(...impossible);
      if (impossible.length > 0 || (finite(own.time) ?? 0) < -1) group.impossible += 1;
    }
  }
  const inTime = [...pages].sort((a, b) => a.startedAt - b.startedAt);
  const following = new Map(inTime.map((page, position) => [page, inTime[position + 1]] as const));
  const recordings: HarRecording[] = [];
  for (const page of pages) {
    // A page that needed nothing from the network is a page too, when the file says how long it was watched.
    const watched = moment(page.fields._observedUntil) !== undefined;
    const group = groups.get(page) ?? (watched ? { entries: [], leftOut: 0, impossible: 0 } : undefined);
    if (group && (group.entries.length > 0 || watched)) {
      recordings.push(recordingOf(page, following.get(page), group, maker, faults));
    } else if (isBlankPage(page.fields)) faults.unshift({ code: 'blank-page' });
    else faults.push({ code: 'empty-page', page: page.id });
  }
  const pageless = groups.get(undefined);
  if (pageless && pageless.entries.length > 0) {
    recordings.push(recordingOf(undefined, undefined, pageless, maker, faults));
  }
  // Why there is nothing to judge comes before what is wrong with the format.
  if (recordings.length === 0 && local.size > 0) faults.unshift({ code: 'only-local', schemes: [...local] });
  return { recordings, faults };
}

/** Does a fault keep something out of the recording that may have mattered? Others only make the file invalid. */
export function isLoss({ code }: HarFault): boolean {
  return code === 'url-missing' || code === 'no-date' || code === 'far-away';
}

function makerOf(log: Fields): Maker {
  const creator = fields(log.creator);
  const product = [fields(log.browser), creator].find(({ name }) => text(name) !== undefined);
  return {
    creator: text(creator.name) ?? '',
    version: text(creator.version) ?? '',
    product: product ? `${text(product.name)}/${text(product.version) ?? ''}` : 'unknown',
  };
}

// Pages

interface Page {
  readonly fields: Fields;
  readonly id: string;
  /** Milliseconds since the Unix epoch; NaN when the file does not say it. */
  readonly startedAt: number;
}

/** Reads a date, ms since the Unix epoch; NaN when it is none. */
type DateReader = (date: unknown) => number;

/** A date in full ends with its zone: "Z", "+02:00". */
const ZONE = /(?:z|[+-]\d\d:?\d\d)$/i;

/**
 * Some tools leave the zone of their dates out. The file means the same wherever it is read: that of its other dates, or
 * UTC.
 */
function dateReader(log: Fields): DateReader {
  const dates = [...list(log.pages), ...list(log.entries)].map(
    (item) => text(fields(item).startedDateTime)?.trim() ?? '',
  );
  const [zone] = ZONE.exec(dates.find((date) => ZONE.test(date)) ?? '') ?? ['Z'];
  return (date) => {
    const written = text(date)?.trim() ?? '';
    return Date.parse(/T\d/i.test(written) && !ZONE.test(written) ? written + zone : written);
  };
}

function pagesOf(log: Fields, dateOf: DateReader, { creator }: Maker): readonly Page[] {
  return list(log.pages).map((item, index) => {
    // Firefox writes the times of its first page for each of them. Source: bug 1833806.
    const page = creator === 'Firefox' && index > 0 ? { ...fields(item), pageTimings: {} } : fields(item);
    const startedAt = finite(page._navigationStart) ?? dateOf(page.startedDateTime);
    return { fields: page, id: text(page.id) ?? '', startedAt };
  });
}

/** The page that an entry names; else the one that was being loaded when it began. Undefined when there are no pages. */
function pageOf(
  own: Fields,
  pages: readonly Page[],
  byId: ReadonlyMap<string, Page>,
  dateOf: DateReader,
): Page | undefined {
  const named = byId.get(text(own.pageref) ?? '');
  if (named) return named;
  const startedAt = dateOf(own.startedDateTime);
  return pages.findLast((page) => page.startedAt <= startedAt) ?? pages[0];
}

// Entries

/** Never on the network. Source: DevTools lists them beside those that are. */
const LOCAL_URL =
  /^(?:data|blob|about|file|filesystem|javascript|resource|[a-z]+(?:-[a-z]+)*-extension|chrome(?:-[a-z]+)*|moz-[a-z]+|edge|devtools|view-source):/i;

/** What the file holds of a page. */
interface Group {
  readonly entries: Entry[];
  leftOut: number;
  /** Entries with figures that cannot be. */
  impossible: number;
}

function isBlankPage({ title, _title, _url, _URL }: Fields): boolean {
  return [title, _title, _url, _URL].some((name) => /^about:/i.test(text(name) ?? ''));
}

const SIZES = ['headersSize', 'bodySize', '_transferSize'] as const;

/** More bytes than a load can bring, more time than it has, and what is not a status: they are taken for not known. */
function impossibleFigures({ fields: own, request, response, url, index }: Entry): readonly HarFault[] {
  const sizes: readonly (readonly [string, unknown])[] = [
    ...SIZES.map((name) => [`request.${name}`, request[name]] as const),
    ...SIZES.map((name) => [`response.${name}`, response[name]] as const),
    ['response.content.size', fields(response.content).size],
  ];
  const time = finite(own.time);
  return [
    ...(time !== undefined && time > LONGEST_MS ? [{ code: 'too-long', entry: index, url, time } as const] : []),
    ...(statusOf(response) !== (finite(response.status) ?? 0)
      ? [{ code: 'wrong', entry: index, url, path: 'response.status', detail: 'is not a status' } as const]
      : []),
    ...sizes.flatMap(([path, value]): readonly HarFault[] => {
      const bytes = finite(value);
      if (bytes === undefined || bytes <= MOST_BYTES) return [];
      return [{ code: 'too-large', entry: index, url, path, value: bytes }];
    }),
  ];
}

/** The entry; the scheme of what is not on the network; undefined for what the page never asked; or what is wrong with it. */
function entryOf(entry: Fields, index: number, dateOf: DateReader): Entry | HarFault | string | undefined {
  const request = fields(entry.request);
  const url = text(request._url) ?? text(request.url);
  if (url === undefined || (url === '' && request._url === undefined)) {
    return { code: 'url-missing', entry: index };
  }
  const response = fields(entry.response);
  const local = LOCAL_URL.exec(url)?.[0];
  if (local !== undefined) return local.toLowerCase();
  // A proxy notes tunnels, too, through which the requests go.
  if (request.method === 'CONNECT') return undefined;
  const initiator = initiatorOf(entry);
  if (isNotOfPage({ url, request, response, initiator })) return undefined;
  const startedAt = dateOf(entry.startedDateTime);
  if (!Number.isFinite(startedAt) && moment(entry._startedAt) === undefined) {
    return { code: 'no-date', entry: index, url };
  }
  return { fields: entry, request, response, own: ENTRY.read(entry), url, startedAt, index };
}

function recordingOf(
  page: Page | undefined,
  next: Page | undefined,
  group: Group,
  maker: Maker,
  faults: HarFault[],
): HarRecording {
  const own = page?.fields ?? {};
  const kept = PAGE.read(own) ?? {};
  const until = kept._observedUntil;
  const exact = until !== undefined && group.entries.every((entry) => entry.own !== undefined);
  const dated = zeroOf(page, group.entries, maker);
  const inTime = nearTo(dated.navigationStart, group.entries, faults);
  const near = withoutPushes(inTime);
  const found = exact ? [] : documentOf(inOrderOfStart(near));
  // What is asked for long after the page began is a frame, or another page.
  const document = found[0] !== undefined && startOf(found[0], dated) <= LATE_MS ? found : [];
  const zero = exact ? dated : withDocument(dated, document);
  const ofTab = exact ? near : withoutPreviousPage(near, zero, document);
  const nextLoad = exact ? undefined : nextLoadIn(ofTab, zero, document, next, maker);
  const entries = nextLoad === undefined ? ofTab : ofTab.filter((entry) => startOf(entry, zero) < nextLoad.at);
  // Tools count from the first load of a tab to the load event of its last.
  const marks = (kept._marks ?? pageMarks(own, zero.shift)).filter(
    ({ at }) => nextLoad === undefined || at < nextLoad.at,
  );
  const loadAt = marks.findLast(({ name }) => name === 'load')?.at;
  const foreign = exact
    ? undefined
    : foreignHops(entries, { zero, loadAt, document, handshake: handshakeOf(maker, entries) });
  const events = inOrder(foreign?.hops ?? entries.flatMap((entry) => (entry.own ? [exactHop(entry, entry.own)] : [])));
  const lastSign = [...events, ...marks].reduce((last, { at }) => Math.max(last, at), 0);
  const first = inOrderOfStart(entries)[0];
  const url = addressOf(own, document, first);
  return defined({
    pageId: page?.id ?? '',
    title: isBlankPage(own) ? '' : (text(own._title) ?? text(own.title) ?? ''),
    navigation: {
      url,
      startedAt: zero.navigationStart,
      browser: maker.product,
      userAgent: kept._userAgent ?? userAgentOf(document[0] ?? first) ?? '',
      network: exact ? kept._network : undefined,
    },
    events,
    marks,
    observedUntil: exact ? until : Math.max(lastSign, nextLoad?.at ?? watchedInto(next, zero.navigationStart, maker)),
    exact,
    creator: maker.creator,
    creatorVersion: maker.version,
    endless: foreign?.endless ?? [],
    unwaited: foreign?.unwaited ?? 0,
    leftOut: group.leftOut + group.entries.length - inTime.length,
    missingLoad: missingLoad(url, events, marks),
    nextLoad,
    impossible: group.impossible + beforeTheLoad(events, marks),
    cached: own._cached === 1 || own._cached === '1' || own._cached === true,
    timings: exact ? fromHarTimings(own) : {},
    mainThread: (exact && kept._mainThread) || [],
    frameThreads: exact ? kept._frameThreads : undefined,
    workerThreads: exact ? kept._workerThreads : undefined,
    rendered: exact ? kept._rendered : undefined,
    evaluated: kept._evaluated,
    finalUrl: kept._finalUrl,
    role: kept._role,
    policy: kept._policy,
    verdicts: kept._verdicts,
  });
}

/**
 * The name of a page: what it says itself, or its document. The document of a frame may be all that a file holds: it is not the page
 * where the title is the address of another. Never what happens to be the first request; of a file without pages and document only
 * the site is known.
 */
function addressOf(own: Fields, document: readonly Entry[], first: Entry | undefined): string {
  const title = text(own._title) ?? text(own.title) ?? '';
  // WebPageTest writes it in capitals.
  const named = [own._url, own._URL].map(text).find((url) => url !== undefined && isAddress(url));
  const inTitle = title.split(/\s+/).find((word) => /^https?:/i.test(word) && isAddress(word));
  const isTitled = !isAddress(title) || document.some(({ url }) => isSameAddress(url, title));
  const asked = isTitled ? document[0]?.url : undefined;
  return named ?? asked ?? inTitle ?? (title || originOf(first?.url ?? ''));
}

function isSameAddress(a: string, b: string): boolean {
  return withoutHash(URL.parse(a)?.href ?? a) === withoutHash(URL.parse(b)?.href ?? b);
}

function isAddress(url: string): boolean {
  return URL.canParse(url) && !LOCAL_URL.test(url);
}

/** Where a page begins by its date, where that can be believed. */
function zeroOf(page: Page | undefined, entries: readonly Entry[], maker: Maker): Zero {
  const dated = page && Number.isFinite(page.startedAt) ? page.startedAt : undefined;
  const starts = entries
    .map(({ startedAt }) => startedAt)
    .filter(Number.isFinite)
    .toSorted((a, b) => a - b);
  const middle = middleBy(starts, (at) => at);
  if (middle === undefined) return { navigationStart: dated ?? 0, shift: 0 };
  // A date that is far from most of them is a mistake, be it the page's or an entry's; so is a page that starts after all of them.
  const requested = starts.find((at) => middle - at <= LONGEST_MS) ?? middle;
  const isBelieved = dated !== undefined && Math.abs(middle - dated) <= LONGEST_MS && dated <= (starts.at(-1) ?? dated);
  if (!isBelieved) return { navigationStart: requested, shift: 0 };
  // A page of Playwright is a tab: it may have been open for long before anything was loaded in it.
  const navigationStart = maker.creator === 'Playwright' ? Math.max(dated, requested) : dated;
  return { navigationStart, shift: navigationStart - dated };
}

/**
 * The load begins with its document, or the redirects that led to it, which tools may date before the page: DevTools counts from the
 * last of them, chrome-har 0.2 from when the document was shown.
 */
function withDocument(zero: Zero, [first]: readonly Entry[]): Zero {
  const early = first === undefined ? 0 : Math.min(0, startOf(first, zero));
  return { navigationStart: zero.navigationStart + early, shift: zero.shift + early };
}

/** Leaves out, and tells, what cannot belong to the load because it began more than a day away. */
function nearTo(navigationStart: number, entries: readonly Entry[], faults: HarFault[]): readonly Entry[] {
  return entries.filter(({ startedAt, index, url }) => {
    if (!(Math.abs(startedAt - navigationStart) > LONGEST_MS)) return true;
    faults.push({ code: 'far-away', entry: index, url });
    return false;
  });
}

/** Leaves out what a server sent before it was asked for, and the page asked for all the same: that is one request. */
function withoutPushes(entries: readonly Entry[]): readonly Entry[] {
  const isPushed = ({ fields: own }: Entry): boolean =>
    (finite(own._was_pushed) ?? Number(own._was_pushed === true)) > 0;
  const fetched = new Set(entries.filter((entry) => !isPushed(entry)).map(({ url }) => withoutHash(url)));
  return entries.filter((entry) => !isPushed(entry) || !fetched.has(withoutHash(entry.url)));
}

/** A document that is asked for this close to the start of its page, ms, is the page's own. */
const DOCUMENT_WITHIN_MS = 1_000;

/**
 * Leaves out what was asked for before the page's document was, and did not lead to it: by scripts, or long before. That was the page
 * before. Tools date what comes out of a cache a little too early.
 */
function withoutPreviousPage(entries: readonly Entry[], zero: Zero, document: readonly Entry[]): readonly Entry[] {
  const [first] = document;
  if (first === undefined || startOf(first, zero) > DOCUMENT_WITHIN_MS) return entries;
  return entries.filter((entry) => {
    const before = first.startedAt - entry.startedAt;
    if (!(before > 0) || document.includes(entry)) return true;
    return before <= DOCUMENT_WITHIN_MS && !BY_SCRIPT.has(guessedType(entry));
  });
}

const BY_SCRIPT: ReadonlySet<string> = new Set<ResourceType>(['xhr', 'fetch', 'eventsource', 'websocket', 'ping']);

/** Where the tab went on, if it did before the file says so. */
function nextLoadIn(
  entries: readonly Entry[],
  zero: Zero,
  document: readonly Entry[],
  next: Page | undefined,
  { creator }: Maker,
): NextLoad | undefined {
  const inOrder = inOrderOfStart(entries);
  const opened = nextDocument(inOrder, { document, creator, nextAt: next?.startedAt });
  const [first] = opened ?? [];
  const last = opened?.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { url: last.url, at: startOf(first, zero), entries: inOrder.length - inOrder.indexOf(first) };
}

/** DevTools goes on recording until the next page begins in the same tab; of other tools that is not known. */
function watchedInto(next: Page | undefined, navigationStart: number, maker: Maker): Ms {
  if (maker.creator !== 'WebInspector' || !next) return 0;
  return moment(next.startedAt - navigationStart) ?? 0;
}

function inOrderOfStart(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((a, b) => a.startedAt - b.startedAt || a.index - b.index);
}

function userAgentOf(entry: Entry | undefined): string | undefined {
  return headersOf(entry?.request.headers).find(({ name }) => name.toLowerCase() === 'user-agent')?.value;
}

/**
 * The events of all hops by time. Within a hop their order is the cause's, whatever their times say; a hop starts
 * after the hop that led to it; and at the same moment starts come before ends, so that a redirect leaves no gap.
 */
function inOrder(hops: readonly Hop[]): readonly NetworkEvent[] {
  const rows: { readonly event: NetworkEvent; readonly key: Ms; readonly rank: number; readonly index: number }[] = [];
  const chains = new Map<string, { key: Ms; index: number }>();
  for (const hop of [...hops].sort((a, b) => a.hop - b.hop)) {
    const before = chains.get(hop.requestId);
    // Half a step keeps it behind its predecessor and before the next entry.
    const index = before ? Math.max(hop.index, before.index + 0.5) : hop.index;
    let key = before?.key ?? Number.NEGATIVE_INFINITY;
    for (const event of hop.events) {
      key = Math.max(key, event.at);
      if (event.kind === 'request') chains.set(hop.requestId, { key, index });
      rows.push({ event, key, rank: event.kind === 'request' ? 0 : 1, index });
    }
  }
  return rows.sort((a, b) => a.key - b.key || a.rank - b.rank || a.index - b.index).map(({ event }) => event);
}
