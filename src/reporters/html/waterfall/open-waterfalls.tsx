import { render } from 'preact';
import { LiveWaterfalls, type WaterfallGroup } from './figure.tsx';
import { unpack } from './unpack.ts';

/** Brings every waterfall of the page to life. */
export function openWaterfalls(): void {
  for (const root of document.querySelectorAll<HTMLElement>('.waterfalls')) {
    if (root.checkVisibility()) void open(root);
    else {
      // In a page that is folded away: nothing is read before it is looked at.
      const folded = new ResizeObserver(() => {
        if (!root.checkVisibility()) return;
        folded.disconnect();
        void open(root);
      });
      folded.observe(root);
    }
  }
}

async function open(root: HTMLElement): Promise<void> {
  const packed = root.nextElementSibling?.textContent ?? '';
  const group = (await unpack(packed)) as WaterfallGroup;
  root.replaceChildren();
  render(<LiveWaterfalls {...group} />, root);
  // How they are used stands once, under all that stand together.
  for (const keys of root.parentElement?.querySelectorAll<HTMLElement>('.keys') ?? []) keys.hidden = false;
}
