import type { DomChange } from '../../model/recording/recording.ts';
import { ISOLATED_WORLD } from './isolated-world.ts';
import type { BeforeStart } from './targets.ts';

/** Where `noteDomChanges` keeps what it noted, in the isolated world. */
export const DOM_CHANGES = '__quiesceDomChanges';

/** The most changes that are kept. A page with more of them changes all the time. */
const MAX_DOM_CHANGES = 2_000;
/** The most elements that are searched for shadow roots at a time: more would slow down the page. */
const MAX_SEARCHED = 20_000;

/** Notes when scripts change what the document shows. */
export const watchDom: BeforeStart = (session, kind) => {
  if (kind !== 'page') return;
  const source = `(${noteDomChanges})(${JSON.stringify(DOM_CHANGES)}, ${MAX_DOM_CHANGES}, ${MAX_SEARCHED})`;
  session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: ISOLATED_WORLD }).catch(() => undefined);
};

/** Not finished until it was painted. */
type Unpainted = { -readonly [Field in keyof DomChange]: DomChange[Field] };

/**
 * Runs in the page, and must not use anything from outside itself. Pages may have elements by the names of what it uses
 * (`<img name="head">`), or no elements at all: then nothing is noted, and nothing is thrown, which would be the page's error.
 *
 * Notes when scripts change what the document shows, from when it is parsed on, and when that was painted, in ms of the page's
 * clock. What takes long is done when the frame has been painted: it must not delay what it measures.
 */
function noteDomChanges(key: string, mostChanges: number, mostSearched: number): void {
  if (window.top !== window) return;
  const unseenNodes = /^(?:script|style|link|meta|title|base|noscript|template|#comment)$/i;
  const unseenAttributes = /^(?:title|alt|name|role|tabindex|aria-(?:label|labelledby|describedby|live|busy|atomic))$/;
  const changes: DomChange[] = [];
  let unpainted: Unpainted[] = [];
  /** Elements that were added, and may hold shadow roots. */
  let added: Element[] = [];

  const trying = (work: () => void): void => {
    try {
      work();
    } catch {
      // See above.
    }
  };
  const isSeen = (nodes: NodeList): boolean => {
    for (const { nodeName } of nodes) if (!unseenNodes.test(nodeName)) return true;
    return false;
  };
  const mayShow = ({ type, target, attributeName, addedNodes, removedNodes }: MutationRecord): boolean => {
    const element = target instanceof Element ? target : target.parentElement;
    if (document.head?.contains(target) || (element && unseenNodes.test(element.nodeName))) return false;
    if (type === 'attributes') return attributeName !== null && !unseenAttributes.test(attributeName);
    return type === 'characterData'
      ? target.nodeType !== Node.COMMENT_NODE
      : isSeen(addedNodes) || isSeen(removedNodes);
  };
  /** What a shadow root holds is not part of the tree around it. */
  const searchShadows = (root: Document | Element | ShadowRoot): void => {
    let searched = 0;
    for (const { shadowRoot } of root.querySelectorAll('*')) {
      searched += 1;
      if (searched > mostSearched) return;
      if (shadowRoot) observe(shadowRoot);
    }
  };
  const painted = (paintedAt: number, frameStart: number | undefined): void => {
    for (const change of unpainted) {
      if (change.at > paintedAt) continue;
      change.paintedAt = paintedAt;
      change.rendering = change.paintedAt - Math.max(change.at, frameStart ?? 0);
    }
    unpainted = unpainted.filter(({ at }) => at > paintedAt);
    if (unpainted.length > 0) timeFrame();
    for (const element of added) {
      if (element.shadowRoot) observe(element.shadowRoot);
      if (element.childElementCount > 0) searchShadows(element);
    }
    added = [];
  };
  /** An observer of intersections first reports when the frame has been painted, which may be the present one. */
  const timeFrame = (): void => {
    let frameStart: number | undefined;
    requestAnimationFrame(() => {
      frameStart = performance.now();
    });
    const frame = new IntersectionObserver(([entry]) =>
      trying(() => {
        frame.disconnect();
        const paintedAt = entry?.time ?? performance.now();
        painted(paintedAt, frameStart !== undefined && frameStart < paintedAt ? frameStart : undefined);
      }),
    );
    frame.observe(document.documentElement);
  };
  const observer = new MutationObserver((records) => {
    const at = performance.now();
    // Disconnected, it could not go on for the next step of a script.
    if (changes.length >= mostChanges) return;
    trying(() => {
      const shown = records.filter(mayShow);
      if (shown.length === 0) return;
      const attributes = shown.every(({ type }) => type === 'attributes');
      const change = { at, attributes, rendering: 0, paintedAt: at };
      changes.push(change);
      for (const { addedNodes } of records)
        for (const node of addedNodes) if (node instanceof Element) added.push(node);
      if (unpainted.push(change) === 1) timeFrame();
    });
  });
  const observe = (root: Document | ShadowRoot): void => {
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    if (root instanceof ShadowRoot) searchShadows(root);
  };
  Reflect.set(globalThis, key, changes);
  // Until then it is the parser's work.
  if (document.readyState !== 'loading') observe(document);
  else document.addEventListener('readystatechange', () => trying(() => observe(document)), { once: true });
  // Scripts may have attached shadow roots to elements of the markup. No event tells of it.
  document.addEventListener('DOMContentLoaded', () => trying(() => searchShadows(document)));
  window.addEventListener('load', () => trying(() => searchShadows(document)));
}
