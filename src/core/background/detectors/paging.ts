import type { Request } from '../../../model/network/timeline.ts';
import { endpointOf } from '../endpoint.ts';

/** Names that lists are walked by, as a parameter or before a number in the path. */
const PAGES = /^(?:pages?|pg|page[-_]?(?:no|num|number|index)|offset|skip|start[-_]?(?:at|index))$/i;

/** Does a series walk through the pages of a list: a page or an offset that counts up evenly? No long poll does. */
export function countsPages(requests: readonly Request[]): boolean {
  const [first] = requests;
  const names = first ? [...pagesOf(first).keys()] : [];
  return requests.length > 1 && names.some((name) => countsUp(requests.map((each) => pagesOf(each).get(name))));
}

/** The numbers of pages in an address, by name. */
function pagesOf(request: Request): ReadonlyMap<string, number> {
  const segments = URL.parse(request.url)?.pathname.split('/') ?? [];
  const named = [...endpointOf(request).values].flatMap(([name, value]) => {
    const before = name.startsWith('/') ? (segments[Number(name.slice(1)) - 1] ?? '') : name;
    return PAGES.test(before) && /^\d+$/.test(value) ? [[name, Number(value)] as const] : [];
  });
  return new Map(named);
}

function countsUp(values: readonly (number | undefined)[]): boolean {
  const steps = values.slice(1).map((value = Number.NaN, i) => value - (values[i] ?? Number.NaN));
  return steps.every((step) => step > 0 && step === steps[0]);
}
