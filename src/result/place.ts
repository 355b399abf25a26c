import { withoutFigures, withoutQueryAndHash } from '../core/requests/address-parts.ts';

/** An address without what differs from load to load: ids and the values of parameters. */
export const placeOf = (url: string): string => withoutFigures(withoutQueryAndHash(url));
