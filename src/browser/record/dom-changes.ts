import type { DomChange } from '../../model/recording.ts';
import { ISOLATED_WORLD } from './isolated-world.ts';
import type { BeforeStart } from './targets.ts';

/** Where `noteDomChanges` keeps what it noted, in the isolated world. */
export const DOM_CHANGES = '__quiesceDomChanges';

/** Changes of the document that are kept; a page that has had more changes all the time. */
const MAX_DOM_CHANGES = 2_000;

/** Notes when scripts change what the document shows. */
export const watchDom: BeforeStart = (session, kind) => {
  if (kind !== 'page') return;
  const source = `(${noteDomChanges})(${JSON.stringify(DOM_CHANGES)}, ${MAX_DOM_CHANGES})`;
  session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: ISOLATED_WORLD }).catch(() => undefined);
};

/** Not finished until it was painted. */
type Unpainted = { -readonly [Field in keyof DomChange]: DomChange[Field] };

/**
 * Runs in the page, and must not use anything from outside itself.
 *
 * Notes when scripts change what the document shows, from when it is parsed on, and how long style, layout and paint of that
 * took, in ms of the page's clock. A page that changes all the time says nothing by it: after `most` changes nothing more is noted.
 */
function noteDomChanges(key: string, most: number): void {
  if (window.top !== window) return;
  const MANY_TARGETS = 8;
  const DEEPEST = 12;
  const JUST_BEGUN_MS = 50;
  const unseenElements = /^(?:script|style|link|meta|title|base|noscript|template)$/i;
  const unseenAttributes = /^(?:aria-|data-|id$|name$|role$|title$|alt$|href$|tabindex$)/;
  const changes: DomChange[] = [];
  /** Those that the next frame shows. */
  let unrendered: Unpainted[] = [];
  /** When the animations end that have just begun; of those that never end, nothing. */
  const endsOfAnimations = (): readonly number[] => {
    const now = performance.now();
    return document.getAnimations().flatMap(({ effect, currentTime, playbackRate, playState }) => {
      const { endTime } = effect?.getComputedTiming() ?? {};
      if (playState !== 'running' || typeof currentTime !== 'number' || typeof endTime !== 'number') return [];
      const end = now + (endTime - currentTime) / playbackRate;
      return currentTime <= JUST_BEGUN_MS && Number.isFinite(end) ? [end] : [];
    });
  };
  /** An observer of intersections first reports when the frame has been painted. */
  const timeFrame = (): void => {
    const from = performance.now();
    const shown = unrendered;
    unrendered = [];
    const frame = new IntersectionObserver(([entry]) => {
      frame.disconnect();
      const ends = endsOfAnimations();
      for (const change of shown) {
        if (ends.length > 0) change.animatedUntil = Math.max(...ends);
        change.paintedAt = Math.max(from, entry?.time ?? from);
        change.rendering = change.paintedAt - from;
      }
    });
    frame.observe(document.documentElement);
  };
  const mayShow = ({ type, target, attributeName, addedNodes, removedNodes }: MutationRecord): boolean => {
    if (document.head?.contains(target)) return false;
    if (type === 'attributes') return attributeName !== null && !unseenAttributes.test(attributeName);
    return (
      type !== 'childList' || [...addedNodes, ...removedNodes].some(({ nodeName }) => !unseenElements.test(nodeName))
    );
  };
  /** The same element has the same path in another load. */
  const pathOf = (node: Node): string => {
    const path: string[] = [];
    for (let each: Node | null = node; each !== null && path.length < DEEPEST; ) {
      if (each instanceof Element) {
        path.push(`${each.localName}${each.id && `#${each.id}`}.${each.classList[0] ?? ''}`);
        each = each.parentNode;
      } else each = each instanceof ShadowRoot ? each.host : each.parentNode;
    }
    return path.join('<');
  };
  const targetsOf = (records: readonly MutationRecord[]): readonly string[] | undefined => {
    const nodes = new Set<Node>();
    for (const { target } of records) if (nodes.add(target).size > MANY_TARGETS) return undefined;
    return [...new Set([...nodes].map(pathOf))];
  };
  /** What a shadow root holds is not part of the tree around it. */
  const observeShadows = (node: Node): void => {
    if (!(node instanceof Element || node instanceof Document || node instanceof ShadowRoot)) return;
    if (node instanceof Element && node.shadowRoot) observe(node.shadowRoot);
    for (const { shadowRoot } of node.querySelectorAll('*')) if (shadowRoot) observe(shadowRoot);
  };
  const observer = new MutationObserver((records) => {
    if (changes.length >= most) return;
    for (const { addedNodes } of records) addedNodes.forEach(observeShadows);
    const shown = records.filter(mayShow);
    if (shown.length === 0) return;
    const targets = targetsOf(shown);
    const attributes = shown.every(({ type }) => type === 'attributes');
    const at = performance.now();
    const change: Unpainted = { at, attributes, ...(targets && { targets }), rendering: 0, paintedAt: at };
    changes.push(change);
    if (unrendered.push(change) === 1) requestAnimationFrame(timeFrame);
  });
  const observe = (root: Document | ShadowRoot): void => {
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    observeShadows(root);
  };
  Reflect.set(globalThis, key, changes);
  // Until then it is the parser's work.
  if (document.readyState !== 'loading') observe(document);
  else document.addEventListener('readystatechange', () => observe(document), { once: true });
  // Elements of the markup have got their shadow roots from scripts meanwhile, and nothing tells of that.
  document.addEventListener('DOMContentLoaded', () => observeShadows(document));
  window.addEventListener('load', () => observeShadows(document));
}
