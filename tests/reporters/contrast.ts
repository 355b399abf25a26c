import type { Page } from 'puppeteer-core';

declare global {
  /** Of an element's text against what lies under it; only in pages that `measureContrast` was called for. */
  var contrastOf: (element: Element) => number;
}

/** Gives the page a function `contrastOf`. Source: WCAG 2.2, relative luminance and contrast ratio. */
export function measureContrast(page: Page): Promise<void> {
  return page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('no canvas');
    const channels = (color: string, under: readonly number[]): readonly number[] => {
      context.fillStyle = `rgb(${under.join(' ')})`;
      context.fillRect(0, 0, 1, 1);
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    };
    const luminance = (rgb: readonly number[]): number => {
      const [r = 0, g = 0, b = 0] = rgb.map((channel) => {
        const share = channel / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element: Element | null): readonly number[] =>
      element === null
        ? [255, 255, 255]
        : channels(getComputedStyle(element).backgroundColor, ground(element.parentElement));
    globalThis.contrastOf = (element) => {
      const style = getComputedStyle(element);
      const under = ground(element);
      const color = element instanceof SVGElement ? style.fill : style.color;
      const [a = 0, b = 0] = [luminance(channels(color, under)), luminance(under)].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    };
  });
}
