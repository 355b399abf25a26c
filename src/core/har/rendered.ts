import type { Rendered, RenderedFont, RenderedPicture, Size } from '../../model/rendered.ts';
import { fields, list, optional, positive, text } from '../har-fields.ts';

/** What a HAR of Quiesce says of pictures and fonts; undefined where it says nothing. */
export function renderedOf(stored: unknown): Rendered | undefined {
  if (stored === undefined) return undefined;
  const { pictures, fonts } = fields(stored);
  return {
    pictures: list(pictures).flatMap((each): readonly RenderedPicture[] => {
      const { url, natural, shown } = fields(each);
      const [address, own, seen] = [text(url), sizeOf(natural), sizeOf(shown)];
      return address !== undefined && own && seen ? [{ url: address, natural: own, shown: seen }] : [];
    }),
    fonts: list(fonts).flatMap((each): readonly RenderedFont[] => {
      const { url, family, display } = fields(each);
      const [name, how] = [text(family), text(display)];
      return name === undefined || how === undefined
        ? []
        : [{ ...optional('url', text(url)), family: name, display: how }];
    }),
  };
}

function sizeOf(stored: unknown): Size | undefined {
  const { width, height } = fields(stored);
  const [wide, tall] = [positive(width), positive(height)];
  return wide !== undefined && tall !== undefined && wide * tall > 0 ? { width: wide, height: tall } : undefined;
}

/** The same with its addresses and names as they may be kept. */
export function withoutSecretsIn(
  { pictures, fonts }: Rendered,
  redact: { url(url: string): string; text(text: string): string },
): Rendered {
  return {
    pictures: pictures.map((each) => ({ ...each, url: redact.url(each.url) })),
    fonts: fonts.map(({ url, family, display }) => ({
      ...(url !== undefined && { url: redact.url(url) }),
      family: redact.text(family),
      display,
    })),
  };
}
