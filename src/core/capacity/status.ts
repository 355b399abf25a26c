/** What a server answers whose visitor has the page already. Source: RFC 9110, 15.4.5. */
const NOT_MODIFIED = 304;

/**
 * Whether an answer is none that was asked for. A redirect is one, too: the URL answered without one before the load began, so
 * that it leads to a login or to a page that says "too many requests", which costs the server next to nothing.
 */
export function isFailure(status: number): boolean {
  return status >= 300 && status !== NOT_MODIFIED;
}
