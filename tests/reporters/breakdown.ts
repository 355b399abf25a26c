import type { CriticalPath, RequestStep } from '../../src/model/result/result.ts';

type Sketch = Partial<RequestStep> & { readonly url: string };

/** A path whose steps follow each other without overlap; times that are not given are 0. */
export function criticalPath(sketches: readonly Sketch[], rest = 0): CriticalPath {
  let at = 0;
  const steps = sketches.map((sketch, index): RequestStep => {
    const { delay = 0, wait = 0, receive = 0 } = sketch;
    const startedAt = at + delay;
    at = startedAt + wait + receive;
    return {
      method: 'GET',
      type: index === 0 ? 'document' : 'fetch',
      startedAt,
      endsAt: at,
      delay,
      wait,
      receive,
      because: index === 0 ? 'the start of the navigation' : 'requested by app.js:12',
      ...sketch,
    };
  });
  return { steps, rest };
}

const SHOP = 'https://shop.example';

/** A shop that waits for its reviews: 1.24 s. */
export const shopPath: CriticalPath = criticalPath(
  [
    { url: `${SHOP}/`, wait: 148, receive: 62 },
    {
      url: 'https://cdn.shop.example/js/app.20c9.js',
      type: 'script',
      delay: 22,
      wait: 80,
      receive: 84,
      because: 'found by the parser in the page, line 12',
    },
    { url: `${SHOP}/api/products?page=1`, delay: 36, wait: 152, receive: 4 },
    {
      url: `${SHOP}/api/reviews?of=4107`,
      delay: 8,
      wait: 618,
      receive: 17,
      because: 'requested by app.20c9.js:1 after /api/products finished',
    },
  ],
  12,
);

/** A page that asks for one piece after the other. */
export const longPath: CriticalPath = criticalPath([
  { url: `${SHOP}/`, wait: 40, receive: 2 },
  ...Array.from({ length: 60 }, (_, i) => ({
    url: `${SHOP}/api/orders?page=${i + 1}`,
    delay: 2,
    wait: 20 + (i % 7),
    receive: 1,
  })),
]);
