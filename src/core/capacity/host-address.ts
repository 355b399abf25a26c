/** Whether an address is of this machine. */
export function isLoopback(address: string): boolean {
  return (
    /^(?:127(?:\.\d+){3}|::1|(?:::ffff:)127(?:\.\d+){3})$/i.test(bare(address)) || /^(?:.+\.)?localhost$/i.test(address)
  );
}

/**
 * Whether an address is of this machine or of a private network. Sources: RFC 1918, RFC 4193, RFC 3927, RFC 4291; RFC 6598 is
 * of providers, and is not private.
 */
export function isPrivateAddress(address: string): boolean {
  const given = bare(address).replace(/^::ffff:(?=\d+\.)/i, '');
  if (isLoopback(given)) return true;
  const [a = -1, b = -1] = /^\d+(?:\.\d+){3}$/.test(given) ? given.split('.').map(Number) : [];
  if (a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168) || (a === 169 && b === 254))
    return true;
  return /^(?:f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i.test(given);
}

function bare(address: string): string {
  return address.replace(/^\[|\]$/g, '');
}
