/**
 * Scripts that run in the page, in an isolated world. The functions are sent as text: they must not use anything from
 * outside themselves.
 */

import type { ShownPage } from '../../model/health.ts';

/** Entries of the performance timeline that are wanted. */
export interface WantedEntries {
  /** The entry type, as in `PerformanceObserver.observe`. */
  readonly type: string;
  /** Fields that are read beside `startTime`. */
  readonly fields: readonly string[];
  /** Further options of `observe`. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Entries of these names are read also of a page that has very many. */
  readonly named?: readonly string[];
}

/**
 * An entry with the wanted fields; elements are given as selectors, `elementBox` says where one stands now, and what shifted
 * is given as `ShiftSource`s. Times are in ms since the document's time origin.
 */
export type ReadEntry = Readonly<Record<string, unknown>> & { readonly startTime: number };

/** What `readPage` returns. */
export interface PageReading {
  readonly url: string;
  readonly title: string;
  /** The numbers of the navigation entry, 0 for what has not happened yet. */
  readonly navigation: Readonly<Record<string, number>>;
  /** By entry type; empty where the browser does not know the type. */
  readonly entries: Readonly<Record<string, readonly ReadEntry[]>>;
  /** Interactions since `countInteractions` was last called; absent where the browser does not count them. */
  readonly interactionCount?: number;
}

/** What `keepEntries` observes of a type. */
export interface KeptType extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

/** Where entries are kept that the browser or the page does not keep, in the isolated world. By their type. */
interface KeptEntries {
  quiesceKept?: Record<string, { readonly observer: PerformanceObserver; readonly entries: PerformanceEntry[] }>;
  quiesceInteractionsBefore?: number;
}

/**
 * Keeps entries of these types from now on: the browser itself keeps only events of 104 ms and more for who asks later, and
 * a page may clear its marks and measures.
 */
export function keepEntries(types: readonly KeptType[]): void {
  const world = globalThis as typeof globalThis & KeptEntries;
  world.quiesceKept ??= {};
  for (const options of types) {
    if (world.quiesceKept[options.type]) continue;
    const entries: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => void entries.push(...list.getEntries()));
    try {
      observer.observe(options);
      world.quiesceKept[options.type] = { observer, entries };
    } catch {
      // An old browser has no such entries.
    }
  }
}

/** Counts interactions from now on. */
export function countInteractions(): void {
  const world = globalThis as typeof globalThis & KeptEntries;
  const { interactionCount } = performance as Performance & { readonly interactionCount?: number };
  world.quiesceInteractionsBefore = interactionCount ?? 0;
}

/** Reads the page's performance timeline once. The browser buffers the entries, so they need not be observed from the start. */
export function readPage(wanted: readonly WantedEntries[]): PageReading {
  const MOST_ENTRIES = 10_000;
  const describe = (element: Element): string => {
    const id = element.id ? `#${element.id}` : '';
    const classes = typeof element.className === 'string' ? element.className.trim().split(/\s+/).filter(Boolean) : [];
    const selector = element.tagName.toLowerCase() + id + classes.map((name) => `.${name}`).join('');
    return selector.length > 200 ? `${selector.slice(0, 199)}…` : selector;
  };
  const boxOf = ({ x, y, width, height }: DOMRectReadOnly): Record<string, number> => ({
    x: x / innerWidth,
    y: y / innerHeight,
    width: width / innerWidth,
    height: height / innerHeight,
  });
  /** Text that moves is identified by the element around it. */
  const elementOf = (node: unknown): Element | null =>
    node instanceof Element ? node : node instanceof Node ? node.parentElement : null;
  const sourcesOf = (sources: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] =>
    sources.flatMap(({ node, previousRect, currentRect }) => {
      const element = elementOf(node);
      return element && previousRect instanceof DOMRectReadOnly && currentRect instanceof DOMRectReadOnly
        ? [{ selector: describe(element), from: boxOf(previousRect), to: boxOf(currentRect) }]
        : [];
    });
  /** Entries within entries are objects of the browser, whose fields do not travel. */
  const plain = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
      ? (value.toJSON() as unknown)
      : value;
  const few = (entries: readonly PerformanceEntry[], named: readonly string[] = []): readonly PerformanceEntry[] => [
    ...entries.slice(0, MOST_ENTRIES),
    ...entries
      .slice(MOST_ENTRIES)
      .filter(({ name }) => named.includes(name))
      .slice(0, MOST_ENTRIES),
  ];
  const read = ({ type, fields, options, named }: WantedEntries): ReadEntry[] => {
    const observer = new PerformanceObserver(() => undefined);
    try {
      observer.observe({ ...options, type, buffered: true });
    } catch {
      return [];
    }
    const kept = (globalThis as typeof globalThis & KeptEntries).quiesceKept?.[type];
    kept?.entries.push(...kept.observer.takeRecords());
    const entries = kept?.entries ?? observer.takeRecords();
    observer.disconnect();
    return few(entries, named).map((entry) => {
      const result: Record<string, unknown> & { startTime: number } = { startTime: entry.startTime };
      for (const field of fields) {
        const value = Reflect.get(entry, field) as unknown;
        if (value instanceof Element) {
          result[field] = describe(value);
          result[`${field}Box`] = boxOf(value.getBoundingClientRect());
        } else if (value instanceof PerformanceEntry) {
          // What an interaction has painted: its element and its picture.
          const { element, url } = value as PerformanceEntry & { readonly element?: unknown; readonly url?: unknown };
          if (element instanceof Element) {
            result.element = describe(element);
            result.elementBox = boxOf(element.getBoundingClientRect());
          }
          result.url = url;
        } else {
          result[field] =
            field === 'sources' && Array.isArray(value)
              ? sourcesOf(value)
              : Array.isArray(value)
                ? value.map(plain)
                : value;
        }
      }
      return result;
    });
  };
  const navigation = performance.getEntriesByType('navigation')[0]?.toJSON() as Record<string, unknown> | undefined;
  // The types of TypeScript do not know it yet.
  const { interactionCount } = performance as Performance & { readonly interactionCount?: number };
  const before = (globalThis as typeof globalThis & KeptEntries).quiesceInteractionsBefore ?? 0;
  return {
    url: location.href,
    title: document.title,
    navigation: Object.fromEntries(
      Object.entries(navigation ?? {}).filter((each): each is [string, number] => typeof each[1] === 'number'),
    ),
    entries: Object.fromEntries(wanted.map((each) => [each.type, read(each)])),
    ...(interactionCount !== undefined && { interactionCount: interactionCount - before }),
  };
}

/**
 * What there is to be seen in the page: how much text, whether anything else is drawn, and the short texts that begin as
 * error messages do. Quotations, code and links speak of errors of others.
 */
export function readShown(source: string, flags: string): ShownPage | undefined {
  const MOST_ELEMENTS = 20_000;
  const MAX_ERRORS = 20;
  const MAX_MESSAGE_LENGTH = 400;
  const errorText = new RegExp(source, flags);
  const drawn =
    /^(?:img|picture|svg|canvas|video|iframe|object|embed|input|select|textarea|button|progress|meter|hr)$/i;
  const tool = /^(?:vite-error-overlay|nextjs-portal)$|webpack-dev-server-client-overlay/i;
  const seen: { letters: number; isDrawn: boolean; asksPassword?: true } = { letters: 0, isDrawn: false };
  const errors: { text: string; isMarked: boolean; isHeading: boolean }[] = [];
  const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
  const cut = (text: string): string =>
    text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH - 1)}…` : text;
  const isMarked = (element: Element): boolean => {
    for (let each: Element | null = element, up = 0; each !== null && up < 4; each = each.parentElement, up += 1) {
      if (/^(?:alert|alertdialog)$/.test(each.getAttribute('role') ?? '') || tool.test(each.tagName + each.id))
        return true;
      const name = `${each.id} ${each.getAttribute('class') ?? ''}`;
      if (/(?:^|[^a-z])(?:errors?|danger|failed|failure|fatal|crash(?:ed)?)(?![a-z])/i.test(name)) return true;
    }
    return false;
  };
  const isPainted = (element: Element): boolean => {
    const { backgroundImage, backgroundColor, borderTopWidth, borderTopStyle } = getComputedStyle(element);
    if (element === document.documentElement || element === document.body) return backgroundImage !== 'none';
    const isColoured = !/^(?:transparent|rgba\(.*, 0\)|rgb\(255, 255, 255\))$/.test(backgroundColor);
    return backgroundImage !== 'none' || isColoured || (borderTopStyle !== 'none' && parseFloat(borderTopWidth) > 0);
  };
  const note = (element: Element, own: string): void => {
    seen.letters += own.length;
    if (errors.length >= MAX_ERRORS || element.closest('a, code, pre, kbd, samp, blockquote, nav, footer, td, option'))
      return;
    const text = cut(plain(element instanceof HTMLElement ? element.innerText : own));
    if (!errorText.test(text) || errors.some((known) => known.text === text)) return;
    errors.push({ text, isMarked: isMarked(element), isHeading: /^h1$/i.test(element.tagName) });
  };
  let elements = 0;
  const walk = (root: Document | ShadowRoot | Element): void => {
    for (const element of root.children) {
      elements += 1;
      if (elements > MOST_ELEMENTS) return;
      if (/^(?:head|script|style|link|meta|noscript|template)$/i.test(element.tagName)) continue;
      const { width, height } = element.getBoundingClientRect();
      const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (isShown && width * height > 1) {
        const own = plain(
          [...element.childNodes].map(({ nodeType, nodeValue }) => (nodeType === 3 ? nodeValue : '')).join(' '),
        );
        if (own !== '') note(element, own);
        if (element.matches('input[type=password]')) seen.asksPassword = true;
        seen.isDrawn ||= drawn.test(element.tagName) || isPainted(element);
      }
      walk(element);
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  try {
    walk(document);
    const title = cut(plain(document.title));
    if (errorText.test(title)) errors.push({ text: title, isMarked: false, isHeading: true });
    return { title, ...seen, errors };
  } catch {
    // A page may have replaced anything that is used here.
    return undefined;
  }
}

/** Reports `performance.now()` through the binding when an element that matches `selector` is there. */
export function watchSelector(selector: string, binding: string): void {
  const report = (globalThis as unknown as Record<string, ((text: string) => void) | undefined>)[binding];
  if (!report || window.top !== window) return;
  const check = (): boolean => {
    if (!document.querySelector(selector)) return false;
    report(String(performance.now()));
    return true;
  };
  if (check()) return;
  const observer = new MutationObserver(() => {
    if (check()) observer.disconnect();
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true });
}

/** Reports the start time of the first user-timing mark (or the end of the first measure) of that name. */
export function watchMark(name: string, binding: string): void {
  const report = (globalThis as unknown as Record<string, ((text: string) => void) | undefined>)[binding];
  if (!report || window.top !== window) return;
  let done = false;
  const observe = (type: string): void => {
    const observer = new PerformanceObserver((list) => {
      const entry = list.getEntriesByName(name)[0];
      if (!entry || done) return;
      done = true;
      observer.disconnect();
      report(String(entry.startTime + entry.duration));
    });
    observer.observe({ type, buffered: true });
  };
  observe('mark');
  observe('measure');
}
