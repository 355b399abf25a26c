/** What begins a comment of ours, one for each key; it is not seen. The key is checked where it is typed. */
export function markerOf(key: string): string {
  return `<!-- quiesce:comment ${key} -->`;
}

/** Does a comment begin with this marker? Line ends come back as they were typed. */
export function hasMarker(body: string, key: string): boolean {
  return body.startsWith(`${markerOf(key)}\n`) || body.startsWith(`${markerOf(key)}\r\n`);
}
