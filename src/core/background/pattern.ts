/**
 * Does a URL match a user's pattern? `*` stands for anything, everything else for itself; a pattern without `*` at its
 * ends may match in the middle of the URL, so that `/api/chat` is enough.
 */
export function matchesPattern(pattern: string, url: string): boolean {
  const parts = pattern.split('*');
  let from = 0;
  for (const part of parts) {
    const found = url.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  // An absolute pattern is meant from the start of the URL to its end; its own `*` says where it is open.
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(pattern)) {
    const last = parts.at(-1) ?? '';
    return url.startsWith(parts[0] ?? '') && url.endsWith(last) && url.length >= pattern.length - (parts.length - 1);
  }
  return true;
}
