import type { CDPSession, Protocol } from 'puppeteer-core';
import type { FrameOutline, Outlined } from '../../model/recording/recording.ts';
import { ISOLATED_WORLD, isolatedWorldOf } from './isolated-world.ts';

/** Longer outlines are cut: both pages that are compared then are. */
const MAX_LINES = 20_000;
/** A smaller frame has no place to show anything, px a side. */
const LEAST_FRAME = 16;
/** Of a canvas that scripts cannot read a small picture is compared: its scale. */
const PICTURE_SCALE = 0.125;

/** What there is to be seen in a page. */
export type Outline = Required<Omit<Outlined, 'earlierOutline' | 'earlierNumbers'>>;

/** What a script can tell of it, and the canvases that it cannot read. */
interface ReadInPage extends Omit<Outline, 'frameOutlines'> {
  readonly unread: readonly Omit<Protocol.Page.Viewport, 'scale'>[];
}

/**
 * What there is to be seen in the page, also below the fold and in closed shadow roots: a line for each element that has an
 * area, with its text, its picture, and where it leads, and the addresses of the pictures. So has what is closed and can be
 * opened: options, menus, dialogs, panels. Also where it draws by itself: canvases, vector pictures, films and endless
 * animations in view. Where pictures of the page do not reach, a line also tells what is drawn: of a canvas its pixels, of an
 * element without text its size and colour.
 *
 * @param frames sessions of frames of other sites, which the page's own scripts cannot read either
 */
export async function readOutline(page: CDPSession, frames: readonly CDPSession[] = []): Promise<Outline> {
  const { contextId } = await isolatedWorldOf(page);
  const roots = await closedRootsOf(page, contextId);
  const { result } = await page.send('Runtime.callFunctionOn', {
    functionDeclaration: String(outline),
    executionContextId: contextId,
    arguments: [{ value: MAX_LINES }, ...roots.map((objectId) => ({ objectId }))],
    awaitPromise: true,
    returnByValue: true,
  });
  const { unread, ...read } = result.value as ReadInPage;
  const drawn: string[] = [];
  for (const clip of unread) {
    const { data } = await page.send('Page.captureScreenshot', {
      clip: { ...clip, scale: PICTURE_SCALE },
      captureBeyondViewport: true,
    });
    drawn.push(`canvas ${data}`);
  }
  const frameOutlines = await Promise.all([page, ...frames].map(outlinesOfFrames));
  return { ...read, outline: [...read.outline, ...drawn], frameOutlines: frameOutlines.flat() };
}

/** More frames than this are not read: most of them are advertisements. */
const MAX_FRAMES = 20;

/** What is there to be seen in each frame of a session that the document around it cannot read. */
async function outlinesOfFrames(session: CDPSession): Promise<readonly FrameOutline[]> {
  try {
    const { frameTree } = await session.send('Page.getFrameTree');
    return await outlinesBelow(session, frameTree, MAX_FRAMES);
  } catch {
    // It may have gone meanwhile.
    return [];
  }
}

async function outlinesBelow(
  session: CDPSession,
  { frame, childFrames = [] }: Protocol.Page.FrameTree,
  most: number,
): Promise<readonly FrameOutline[]> {
  const lines = await outlineOfFrame(session, frame.id);
  const below: FrameOutline[] = [];
  for (const child of childFrames) {
    if (below.length < most) below.push(...(await outlinesBelow(session, child, most - below.length)));
  }
  const { origin, pathname } = new URL(frame.url);
  return [...(lines ? [{ frameId: frame.id, url: origin + pathname, lines }] : []), ...below];
}

/** Undefined of the page itself, and of a frame that the document around it can read or that has no place to show anything. */
async function outlineOfFrame(
  session: CDPSession,
  frameId: Protocol.Page.FrameId,
): Promise<FrameOutline['lines'] | undefined> {
  const world = await session.send('Page.createIsolatedWorld', { frameId, worldName: ISOLATED_WORLD });
  const { result } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: `async (limit) => {
      if (window === top || frameElement !== null || innerWidth < ${LEAST_FRAME} || innerHeight < ${LEAST_FRAME}) return undefined;
      return (await (${String(outline)})(limit)).outline;
    }`,
    executionContextId: world.executionContextId,
    arguments: [{ value: MAX_LINES }],
    awaitPromise: true,
    returnByValue: true,
  });
  return result.value as FrameOutline['lines'] | undefined;
}

/** The closed shadow roots of the page's own document, as objects of that world: scripts do not reach them. */
async function closedRootsOf(
  page: CDPSession,
  executionContextId: number,
): Promise<readonly Protocol.Runtime.RemoteObjectId[]> {
  const { root } = await page.send('DOM.getDocument', { depth: -1, pierce: true });
  const found: Protocol.DOM.BackendNodeId[] = [];
  const nodes = [root];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    for (const shadow of node.shadowRoots ?? []) {
      if (shadow.shadowRootType === 'closed') found.push(shadow.backendNodeId);
      nodes.push(shadow);
    }
    nodes.push(...(node.children ?? []));
  }
  const objects = await Promise.all(
    found.map((backendNodeId) =>
      page.send('DOM.resolveNode', { backendNodeId, executionContextId }).then(
        ({ object }) => object.objectId ?? [],
        // It may have gone meanwhile.
        () => [],
      ),
    ),
  );
  await page.send('DOM.disable');
  return objects.flat();
}

/** Runs in the page: it must not use anything from outside itself. */
async function outline(limit: number, ...closed: readonly ShadowRoot[]): Promise<ReadInPage> {
  /** A canvas that is drawn anew within this time is an animation, ms. */
  const MOVES_WITHIN_MS = 300;
  /** Sizes are rounded to steps of so many px. */
  const STEP = 8;
  /** A canvas is compared as a picture of so many px a side; a smaller frame shows nothing. */
  const SIDE = 16;
  /** An endless animation is looked at this often. */
  const MOMENTS = 8;
  /** Looking at more animations than this takes too long. */
  const MOST_ANIMATIONS = 50;
  const lines: string[] = [];
  const pictures = new Set<string>();
  const canvases: { readonly canvas: HTMLCanvasElement; readonly isReached: boolean }[] = [];
  let saysBusy = false;
  type Place = { left: number; top: number; width: number; height: number };
  const places: Place[] = [];
  const numbers: (Place & { text: string })[] = [];
  /** In view, and of the page's own document: where a frame stands is another question. */
  const placeOf = ({ ownerDocument }: Element, { left, right, top, bottom }: DOMRect): readonly Place[] => {
    const [from, to] = [Math.max(0, left), Math.min(innerWidth, right)];
    const [above, below] = [Math.max(0, top), Math.min(innerHeight, bottom)];
    if (ownerDocument !== document || from >= to || above >= below) return [];
    const [width, height] = [(to - from) / innerWidth, (below - above) / innerHeight];
    return [{ left: from / innerWidth, top: above / innerHeight, width, height }];
  };
  /** A longer text than this is more than a clock, characters. */
  const CLOCK = 32;
  /** Hours, minutes and seconds may be elements of their own, of which not all change during a load. */
  const clockOf = (element: Element): Element => {
    const around = element.parentElement;
    return around && around !== document.body && plain(around.textContent).length <= CLOCK ? around : element;
  };
  /** What holds something that is shown when the user asks for it. */
  const OPENED =
    'select, datalist, nav, menu, dialog, details, [popover], [role=menu], [role=dialog], [role=listbox], [role=tabpanel]';
  const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 200);
  const ownText = (element: Element): string =>
    plain([...element.childNodes].map((node) => (node.nodeType === 3 ? (node.nodeValue ?? '') : '')).join(' '));
  /** Which picture it is: addresses may have a time or a size in them. */
  const fileOf = (address: string): string =>
    /^https?:/i.test(address) ? new URL(address).pathname.replace(/\d+/g, '0').slice(-100) : '';
  const fieldOf = (element: Element): string => {
    if (element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement) return plain(element.value);
    if (!(element instanceof HTMLInputElement) || element.type === 'password') return '';
    return `${plain(element.value)} ${element.checked} ${element.placeholder}`;
  };
  /** What it does for the user: where a link leads, without what is told to those who count, and whether a control works. */
  const useOf = (element: Element): string => {
    if (element instanceof HTMLAnchorElement) return element.hasAttribute('href') ? element.pathname : '';
    return 'disabled' in element && element.disabled === true ? 'disabled' : '';
  };
  /** What it tells those who do not see it. */
  const saysOf = (element: Element): string =>
    plain(`${element instanceof HTMLImageElement ? element.alt : ''} ${element.getAttribute('aria-label') ?? ''}`);
  const steps = (length: number): number => Math.round(length / STEP);
  /** How an element is drawn: a bar of a chart, a square of a map, a text that is struck through. A transformation is an animation. */
  const looksOf = (element: Element, text: string): string => {
    const { backgroundColor, backgroundImage, color, fill, textDecorationLine } = getComputedStyle(element);
    if (text !== '') return `${color} ${backgroundColor} ${textDecorationLine}`;
    const has = backgroundImage === 'none' ? '' : 'picture';
    if (element instanceof HTMLElement) {
      return `${steps(element.offsetWidth)}x${steps(element.offsetHeight)} ${backgroundColor} ${has}`;
    }
    if (!(element instanceof SVGGraphicsElement)) return has;
    const { width, height } = element.getBBox();
    return `${steps(width)}x${steps(height)} ${fill}`;
  };
  /** One that counts a visit has no place to show anything. */
  const showsSomething = (frame: HTMLIFrameElement): boolean => frame.offsetWidth >= SIDE && frame.offsetHeight >= SIDE;
  type View = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  const nothing: View = { left: 0, top: 0, right: 0, bottom: 0 };
  const within = (view: View, box: View): View => ({
    left: Math.max(view.left, box.left),
    top: Math.max(view.top, box.top),
    right: Math.min(view.right, box.right),
    bottom: Math.min(view.bottom, box.bottom),
  });
  const isIn = (view: View, { left, top, right, bottom }: View): boolean =>
    left >= view.left && top >= view.top && right <= view.right && bottom <= view.bottom;
  /** What holds more than it shows: it scrolls, or cuts. That of the body is the viewport's. */
  const isWindow = (element: Element): boolean =>
    (element.childElementCount > 0 || element.shadowRoot !== null) &&
    element !== document.body &&
    element !== document.documentElement &&
    getComputedStyle(element).overflow !== 'visible';
  /**
   * @param view what the pictures of the page show
   * @param page what pictures of the whole page show, which do not scroll inside it; nothing of frames
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: it runs in the page, as one function
  const walk = (root: Document | ShadowRoot | Element, view: View, page: View): void => {
    for (const element of root.children) {
      if (lines.length >= limit) return;
      if (/^(?:head|script|style|link|meta|noscript|template)$/i.test(element.tagName)) continue;
      const box = element.getBoundingClientRect();
      const { width, height, left, top } = box;
      if (width * height > 1) {
        saysBusy ||= element.matches('[aria-busy="true"], progress, [role="progressbar"]');
        const text = ownText(element);
        const address = element instanceof HTMLImageElement && element.naturalWidth > 0 ? element.currentSrc : '';
        if (address !== '') pictures.add(address.replace(/#.*$/, ''));
        const picture =
          element instanceof HTMLImageElement ? (address === '' ? 'missing' : `shown ${fileOf(address)}`) : '';
        const isCanvas = element instanceof HTMLCanvasElement;
        if (isCanvas || element instanceof HTMLVideoElement || element instanceof SVGSVGElement)
          places.push(...placeOf(element, box));
        if (/\d/.test(text)) {
          const clock = clockOf(element);
          const [place] = placeOf(clock, clock.getBoundingClientRect());
          if (place) numbers.push({ text: `${element.tagName} ${text}`, ...place });
        }
        // What is in view the pictures of the page show.
        if (isCanvas && !isIn(view, box)) canvases.push({ canvas: element, isReached: isIn(page, box) });
        const isDrawn = top >= innerHeight && !isCanvas && (text !== '' || element.childElementCount === 0);
        lines.push(
          `${element.tagName} ${text} ${picture} ${fieldOf(element)} ${useOf(element)} ${saysOf(element)} ${isDrawn ? looksOf(element, text) : ''}`,
        );
      } else {
        const text = ownText(element);
        if (text !== '' && element.closest(OPENED)) lines.push(`closed ${element.tagName} ${text} ${useOf(element)}`);
      }
      const inner = isWindow(element) ? ([within(view, box), within(page, box)] as const) : ([view, page] as const);
      walk(element, ...inner);
      if (element.shadowRoot) walk(element.shadowRoot, ...inner);
      if (element instanceof HTMLIFrameElement && element.contentDocument && showsSomething(element)) {
        const shown = within(view, box);
        // Boxes in a frame are told from its own corner.
        const moved = {
          left: shown.left - left,
          top: shown.top - top,
          right: shown.right - left,
          bottom: shown.bottom - top,
        };
        walk(element.contentDocument, moved, nothing);
      }
    }
  };
  lines.push(`TITLE ${plain(document.title)}`);
  const viewport: View = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const everything: View = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  walk(document, viewport, everything);
  for (const root of closed) walk(root, viewport, everything);
  // Marked in the text without an element: what a search found, a passage that is quoted.
  for (const [name, ranges] of CSS.highlights ?? []) {
    lines.push(
      ...[...ranges].map((range) => `highlight ${name} ${range instanceof Range ? plain(range.toString()) : ''}`),
    );
  }

  const scratch = new OffscreenCanvas(SIDE, SIDE).getContext('2d', { willReadFrequently: true });
  /** Its pixels, roughly; undefined where a script may not read them, and where it reads none: WebGL keeps nothing for it. */
  const pixelsOf = (canvas: HTMLCanvasElement): string | undefined => {
    try {
      if (!scratch || canvas.width * canvas.height === 0) return '';
      scratch.clearRect(0, 0, SIDE, SIDE);
      scratch.drawImage(canvas, 0, 0, SIDE, SIDE);
      const { data } = scratch.getImageData(0, 0, SIDE, SIDE);
      return data.some((value) => value > 0) ? [...data].map((value) => (value >> 4).toString(16)).join('') : undefined;
    } catch {
      return undefined;
    }
  };
  /** Where an animation moves its element to, at several moments of it. It goes on from where it was. */
  const sweptBy = (
    animation: Animation,
    element: Element,
    { delay, duration }: { readonly delay: number; readonly duration: number },
  ): readonly Place[] => {
    const { currentTime } = animation;
    const boxes: DOMRect[] = [];
    try {
      for (let i = 0; i <= MOMENTS; i += 1) {
        animation.currentTime = delay + (duration * i) / MOMENTS;
        boxes.push(element.getBoundingClientRect());
      }
    } finally {
      animation.currentTime = currentTime;
    }
    const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
    const right = Math.max(...boxes.map((box) => box.right));
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    return placeOf(element, new DOMRect(left, top, right - left, bottom - top));
  };
  for (const animation of document.getAnimations().slice(0, MOST_ANIMATIONS)) {
    const { effect } = animation;
    if (!(effect instanceof KeyframeEffect) || !effect.target || effect.pseudoElement !== null) continue;
    const { delay = 0, duration, endTime } = effect.getComputedTiming();
    if (animation.playState !== 'running' || endTime !== Number.POSITIVE_INFINITY) continue;
    if (typeof duration === 'number' && Number.isFinite(duration))
      places.push(...sweptBy(animation, effect.target, { delay, duration }));
  }
  const before = canvases.map(({ canvas }) => pixelsOf(canvas));
  if (canvases.length > 0) await new Promise((resolve) => setTimeout(resolve, MOVES_WITHIN_MS));
  const unread: { x: number; y: number; width: number; height: number }[] = [];
  canvases.forEach(({ canvas, isReached }, index) => {
    const pixels = pixelsOf(canvas);
    if (pixels !== undefined) lines.push(`canvas ${pixels === before[index] ? pixels : 'moves'}`);
    // What is invisible is never the same.
    else if (!isReached) lines.push(`canvas that cannot be read, of the page of ${performance.timeOrigin}`);
    else {
      const { x, y, width, height } = canvas.getBoundingClientRect();
      unread.push({ x: x + scrollX, y: y + scrollY, width, height });
    }
  });
  return {
    outline: lines,
    pictures: [...pictures].filter((address) => /^https?:/i.test(address)),
    canvases: places,
    numbers,
    saysBusy,
    unread,
  };
}
