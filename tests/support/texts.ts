import * as fc from 'fast-check';

/**
 * Any letter of Unicode. fast-check's own unit of the same name writes a table of all 1.1 million of them first, to find
 * its way back from a text, which no test asks for: a second of the processor's time and 100 MB in each process.
 */
const LETTERS = 0x11_0000;
const SURROGATES = { first: 0xd800, count: 0x800 } as const;
const binary = fc
  .nat(LETTERS - SURROGATES.count - 1)
  .map((index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count));

/** Texts of any letters, without halves of letters. */
export const anyLetters = (
  constraints: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> => fc.string({ ...constraints, unit: binary });

/** What may stand in a part of an address as it is; everything else is written with %. */
const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@";
const partOf = (plain: string): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(
      { arbitrary: fc.constantFrom(...plain), weight: 10 },
      { arbitrary: binary.map(encodeURIComponent), weight: 1 },
    ),
  });

/** Which parts an address may have besides its path. */
interface Parts {
  readonly query?: boolean;
  readonly fragment?: boolean;
}

/** Addresses of pages, as `fc.webUrl` makes them. */
export function webUrls({ query = false, fragment = false }: Parts = {}): fc.Arbitrary<string> {
  const after = (sign: string, is: boolean): fc.Arbitrary<string> =>
    is
      ? fc.option(
          partOf(`${PLAIN}/?`).map((text) => sign + text),
          { nil: '' },
        )
      : fc.constant('');
  return fc
    .tuple(
      fc.constantFrom('http', 'https'),
      fc.domain(),
      fc.array(partOf(PLAIN)).map((segments) => segments.map((segment) => `/${segment}`).join('')),
      after('?', query),
      after('#', fragment),
    )
    .map(([scheme, host, path, search, hash]) => `${scheme}://${host}${path}${search}${hash}`);
}
