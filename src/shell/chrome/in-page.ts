/**
 * Scripts that run inside the page, in a world of their own. They are functions turned to text: they must not use
 * anything from outside themselves.
 */

/** What `readPage` gives back; times in milliseconds since the document's own time origin. */
export interface PageReading {
  readonly url: string;
  readonly title: string;
  readonly navigation: {
    readonly responseStart: number;
    readonly responseEnd: number;
    readonly domInteractive: number;
    readonly domContentLoadedEventEnd: number;
    readonly loadEventEnd: number;
    readonly activationStart: number;
  } | null;
  readonly paints: readonly { readonly name: string; readonly startTime: number }[];
  readonly largest: readonly { readonly startTime: number; readonly what: string; readonly url: string }[];
  readonly shifts: readonly { readonly startTime: number; readonly value: number }[];
  readonly longTasks: readonly { readonly startTime: number; readonly duration: number }[];
}

/** Reads the page's performance timeline once; buffered entries are there without having observed from the start. */
export function readPage(): PageReading {
  const entries = (type: string): PerformanceEntry[] => {
    const observer = new PerformanceObserver(() => undefined);
    try {
      observer.observe({ type, buffered: true });
    } catch {
      return [];
    }
    const records = observer.takeRecords();
    observer.disconnect();
    return records;
  };
  const describe = (element: Element | null | undefined): string => {
    if (!element) return '';
    const id = element.id ? `#${element.id}` : '';
    const classes = typeof element.className === 'string' ? element.className.trim().split(/\s+/).filter(Boolean) : [];
    return element.tagName.toLowerCase() + id + classes.map((name) => `.${name}`).join('');
  };
  const navigation = performance.getEntriesByType('navigation')[0] as
    | (PerformanceNavigationTiming & { activationStart?: number })
    | undefined;
  return {
    url: location.href,
    title: document.title,
    navigation: navigation
      ? {
          responseStart: navigation.responseStart,
          responseEnd: navigation.responseEnd,
          domInteractive: navigation.domInteractive,
          domContentLoadedEventEnd: navigation.domContentLoadedEventEnd,
          loadEventEnd: navigation.loadEventEnd,
          activationStart: navigation.activationStart ?? 0,
        }
      : null,
    paints: entries('paint').map(({ name, startTime }) => ({ name, startTime })),
    largest: entries('largest-contentful-paint').map((entry) => ({
      startTime: entry.startTime,
      what: describe((entry as PerformanceEntry & { element?: Element }).element),
      url: (entry as PerformanceEntry & { url?: string }).url ?? '',
    })),
    shifts: entries('layout-shift')
      .filter((entry) => !(entry as PerformanceEntry & { hadRecentInput: boolean }).hadRecentInput)
      .map((entry) => ({ startTime: entry.startTime, value: (entry as PerformanceEntry & { value: number }).value })),
    longTasks: entries('longtask').map(({ startTime, duration }) => ({ startTime, duration })),
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
