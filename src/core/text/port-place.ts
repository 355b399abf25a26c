/** Stands in commands and addresses for a port that is chosen when a server is started. */
export const PORT_PLACE = '{port}';

/** The text with the port in its place. */
export function withPort(text: string, port: number): string {
  return text.replaceAll(PORT_PLACE, String(port));
}
