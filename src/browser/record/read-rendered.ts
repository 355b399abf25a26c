import type { Rendered, RenderedFont, RenderedPicture, Size } from '../../model/recording/rendered.ts';

/**
 * The sizes of the document's pictures and its web fonts. Runs in the page: it is sent as text, and must not use anything
 * from outside itself.
 */
export function readRendered(): Rendered | undefined {
  const MAX_ELEMENTS = 2_000;
  const isFile = (url: string): boolean => /^https?:/i.test(url);
  const withoutHash = (url: string): string => url.replace(/#.*$/, '');

  /** `naturalWidth` is divided by what `srcset` says of a file: its own pixels are those times this. */
  const densityOf = (image: HTMLImageElement): number => {
    const sources = image.parentElement instanceof HTMLPictureElement ? [...image.parentElement.children] : [];
    for (const element of [...sources, image]) {
      for (const candidate of (element.getAttribute('srcset') ?? '').split(/,\s+/)) {
        const [address = '', says = ''] = candidate.trim().split(/\s+/);
        if (address === '' || !URL.canParse(address, document.baseURI)) continue;
        if (new URL(address, document.baseURI).href !== image.currentSrc) continue;
        const value = Number.parseFloat(says);
        if (says.endsWith('w')) return value / image.naturalWidth;
        if (says.endsWith('x')) return value;
      }
    }
    return 1;
  };
  const pictureOf = (image: HTMLImageElement): readonly RenderedPicture[] => {
    const { width, height } = image.getBoundingClientRect();
    if (!isFile(image.currentSrc) || image.naturalWidth * image.naturalHeight === 0 || width * height <= 1) return [];
    const scaled = (by: number, size: Size): Size => ({
      width: Math.round(size.width * by),
      height: Math.round(size.height * by),
    });
    return [
      {
        url: withoutHash(image.currentSrc),
        natural: scaled(densityOf(image), { width: image.naturalWidth, height: image.naturalHeight }),
        shown: scaled(devicePixelRatio, { width, height }),
      },
    ];
  };

  const fontsOf = (rules: CSSRuleList, base: string): readonly RenderedFont[] =>
    [...rules].flatMap((rule): readonly RenderedFont[] => {
      if (rule instanceof CSSFontFaceRule) {
        const said = (name: string): string => rule.style.getPropertyValue(name);
        const addresses = [...said('src').matchAll(/url\(\s*(["']?)(.*?)\1\s*\)/g)].flatMap(([, , address = '']) =>
          URL.canParse(address, base) ? new URL(address, base).href : [],
        );
        const family = said('font-family').replace(/^["']|["']$/g, '');
        const display = said('font-display') || 'auto';
        return addresses.filter(isFile).map((url) => ({ url: withoutHash(url), family, display }));
      }
      if (rule instanceof CSSImportRule) return rule.styleSheet ? fontsIn(rule.styleSheet) : [];
      return 'cssRules' in rule ? fontsOf(rule.cssRules as CSSRuleList, base) : [];
    });
  const fontsIn = (sheet: CSSStyleSheet): readonly RenderedFont[] => {
    try {
      return fontsOf(sheet.cssRules, sheet.href ?? document.baseURI);
    } catch {
      // Scripts cannot read style sheets of other origins.
      return [];
    }
  };

  try {
    const known = [...document.styleSheets].flatMap(fontsIn);
    const families = new Set(known.map(({ family }) => family));
    const others = [...document.fonts]
      .map(({ family, display, status }) => ({ family: family.replace(/^["']|["']$/g, ''), display, status }))
      .filter(({ family, status }) => status === 'loaded' && !families.has(family))
      .map(({ family, display }) => ({ family, display }));
    return {
      pictures: [...document.images].slice(0, MAX_ELEMENTS).flatMap(pictureOf),
      fonts: [...known, ...others].slice(0, MAX_ELEMENTS),
    };
  } catch {
    // A page may have replaced anything that is used here.
    return undefined;
  }
}
