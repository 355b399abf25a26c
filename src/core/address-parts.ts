/** An address as it is sent: servers and caches never see what follows the hash. */
export function withoutHash(url: string): string {
  const hash = url.indexOf('#');
  return hash === -1 ? url : url.slice(0, hash);
}
