import { withoutQueryAndHash } from './address-parts.ts';

/** Names that pages give the icons of their tab, of bookmarks and of home screens. Source: HTML, "rel=icon"; RealFaviconGenerator. */
const ICON_NAME =
  /(?:favicon[^/]*\.(?:png|svg|gif|jpe?g|webp)|\/(?:apple-(?:touch-)?icon|android-(?:chrome|icon)|mstile|ms-icon|safari-pinned-tab)[^/]*\.(?:png|svg)|\.ico)$/i;

/** Does an address name an icon that browsers ask for by themselves? */
export function isNamedIcon(url: string): boolean {
  return ICON_NAME.test(withoutQueryAndHash(url));
}
