import type { CDPSession } from 'puppeteer-core';
import type { Recording } from '../../model/recording.ts';
import { isolatedWorldOf } from './isolated-world.ts';

/** Longer outlines are cut: both pages that are compared then are. */
const MAX_LINES = 20_000;

/** What there is to be seen in a page. */
export type Outline = Required<Pick<Recording, 'outline' | 'pictures'>>;

/**
 * What there is to be seen in the page, also below the fold: a line for each element that has an area, with its text and
 * the state of its picture, and the addresses of the pictures. Numbers are left open, for they count and tell the time.
 */
export async function readOutline(page: CDPSession): Promise<Outline> {
  const { contextId } = await isolatedWorldOf(page);
  const { result } = await page.send('Runtime.evaluate', {
    expression: `(${outline})(${MAX_LINES})`,
    contextId,
    returnByValue: true,
  });
  return result.value as Outline;
}

/** Runs in the page: it must not use anything from outside itself. */
function outline(limit: number): { outline: string[]; pictures: string[] } {
  const lines: string[] = [];
  const pictures = new Set<string>();
  const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(/\d+/g, '0').slice(0, 200);
  const walk = (root: Document | ShadowRoot | Element): void => {
    for (const element of root.children) {
      if (lines.length >= limit) return;
      if (/^(?:head|script|style|link|meta|noscript|template)$/i.test(element.tagName)) continue;
      const { width, height } = element.getBoundingClientRect();
      if (width * height > 1) {
        const own = [...element.childNodes]
          .map((node) => (node.nodeType === 3 ? (node.nodeValue ?? '') : ''))
          .join(' ');
        const picture = element instanceof HTMLImageElement ? (element.naturalWidth > 0 ? 'shown' : 'missing') : '';
        if (picture === 'shown') pictures.add((element as HTMLImageElement).currentSrc.replace(/#.*$/, ''));
        lines.push(`${element.tagName} ${plain(own)} ${picture}`);
      }
      walk(element);
      if (element.shadowRoot) walk(element.shadowRoot);
      if (element instanceof HTMLIFrameElement && element.contentDocument) walk(element.contentDocument);
    }
  };
  walk(document);
  return { outline: lines, pictures: [...pictures].filter((address) => /^https?:/i.test(address)) };
}
