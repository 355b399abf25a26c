/** What `pack` made a text of. */
export async function unpack(text: string): Promise<unknown> {
  const { readable, writable } = new DecompressionStream('deflate-raw');
  const writer = writable.getWriter();
  // These are not awaited: reading them reports what went wrong.
  writer.write(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))).catch(() => undefined);
  writer.close().catch(() => undefined);
  return new Response(readable).json();
}
