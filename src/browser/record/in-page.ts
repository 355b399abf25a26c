/**
 * Scripts that run in the page, in an isolated world. The functions are sent as text: they must not use anything from
 * outside themselves.
 */

/** Entries of the performance timeline that are wanted. */
export interface WantedEntries {
  /** The entry type, as in `PerformanceObserver.observe`. */
  readonly type: string;
  /** Fields that are read beside `startTime`. */
  readonly fields: readonly string[];
  /** Further options of `observe`. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** An entry with the wanted fields; elements are given as selectors. Times are in ms since the document's time origin. */
export type ReadEntry = Readonly<Record<string, unknown>> & { readonly startTime: number };

/** What `readPage` returns. */
export interface PageReading {
  readonly url: string;
  readonly title: string;
  /** The numbers of the navigation entry, 0 for what has not happened yet. */
  readonly navigation: Readonly<Record<string, number>>;
  /** By entry type; empty where the browser does not know the type. */
  readonly entries: Readonly<Record<string, readonly ReadEntry[]>>;
}

/** Reads the page's performance timeline once. The browser buffers the entries, so they need not be observed from the start. */
export function readPage(wanted: readonly WantedEntries[]): PageReading {
  const describe = (element: Element): string => {
    const id = element.id ? `#${element.id}` : '';
    const classes = typeof element.className === 'string' ? element.className.trim().split(/\s+/).filter(Boolean) : [];
    return element.tagName.toLowerCase() + id + classes.map((name) => `.${name}`).join('');
  };
  const read = ({ type, fields, options }: WantedEntries): ReadEntry[] => {
    const observer = new PerformanceObserver(() => undefined);
    try {
      observer.observe({ ...options, type, buffered: true });
    } catch {
      return [];
    }
    const entries = observer.takeRecords();
    observer.disconnect();
    return entries.map((entry) => {
      const result: Record<string, unknown> & { startTime: number } = { startTime: entry.startTime };
      for (const field of fields) {
        const value = Reflect.get(entry, field) as unknown;
        result[field] = value instanceof Element ? describe(value) : value;
      }
      return result;
    });
  };
  const navigation = performance.getEntriesByType('navigation')[0]?.toJSON() as Record<string, unknown> | undefined;
  return {
    url: location.href,
    title: document.title,
    navigation: Object.fromEntries(
      Object.entries(navigation ?? {}).filter((each): each is [string, number] => typeof each[1] === 'number'),
    ),
    entries: Object.fromEntries(wanted.map((each) => [each.type, read(each)])),
  };
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
