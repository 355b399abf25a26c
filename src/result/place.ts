import { withoutQueryAndHash } from '../core/address-parts.ts';
/** A text without figures. */
export const withoutFigures = (text: string): string => text.replace(/\d+/g, '0');

/** An address without what differs from load to load: ids and the values of parameters. */
export const placeOf = (url: string): string => withoutFigures(withoutQueryAndHash(url));
