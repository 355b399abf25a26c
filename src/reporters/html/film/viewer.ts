import { all, make, one } from '../client/dom.ts';

/** Enlarges the evidence's pictures in a dialog, and leafs through those that stand together. */
export function viewPictures(): void {
  const links = all<HTMLAnchorElement>(document, 'a.picture');
  if (links.length === 0) return;

  const viewer = make('dialog', 'viewer');
  viewer.setAttribute('aria-label', 'Picture');
  const image = make('img', '');
  const words = make('p', 'viewer-words');
  words.setAttribute('aria-live', 'polite');
  const whole = make('a', '', 'Full size');
  const control = (label: string, sign: string): HTMLElement => {
    const button = make('button', '', sign);
    button.type = 'button';
    button.setAttribute('aria-label', label);
    return button;
  };
  const before = control('Previous image', '←');
  const after = control('Next image', '→');
  const leave = control('Close', '×');
  leave.className = 'viewer-close';
  const bar = make('div', 'viewer-bar', before, after, words, whole, leave);
  viewer.append(image, bar);
  document.body.append(viewer);

  let group: readonly HTMLAnchorElement[] = [];
  let at = 0;
  const look = (index: number): void => {
    at = (index + group.length) % group.length;
    const link = group[at];
    const small = link === undefined ? undefined : one<SVGSVGElement>(link, 'svg');
    const use = small === undefined ? undefined : one<SVGUseElement>(small, 'use');
    // The page holds each picture once; where it is shown it is referred to.
    const stored = document.querySelector<SVGImageElement>(use?.getAttribute('href') ?? 'image');
    if (link === undefined || small === undefined || stored === null) return;
    image.src = stored.getAttribute('href') ?? '';
    image.alt = small.getAttribute('aria-label') ?? '';
    image.width = stored.width.baseVal.value;
    image.height = stored.height.baseVal.value;
    const caption = one(link.closest('figure') ?? link, 'figcaption');
    words.replaceChildren(...Array.from(caption?.cloneNode(true).childNodes ?? []));
    whole.href = link.href;
  };
  before.addEventListener('click', () => look(at - 1));
  after.addEventListener('click', () => look(at + 1));
  leave.addEventListener('click', () => viewer.close());
  viewer.addEventListener('click', (event) => {
    // The dialog's own box is all bar and picture: what is clicked of it itself is the ground around them.
    if (event.target === viewer) viewer.close();
  });
  viewer.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowLeft') look(at - 1);
    if (event.key === 'ArrowRight') look(at + 1);
  });
  for (const link of links) {
    link.setAttribute('aria-haspopup', 'dialog');
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      group = all<HTMLAnchorElement>(link.closest('.pictures') ?? document, 'a.picture');
      before.hidden = group.length < 2;
      after.hidden = group.length < 2;
      look(group.indexOf(link));
      viewer.showModal();
    });
  }
}
