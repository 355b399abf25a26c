/**
 * The source of a function without its comment lines and its indentation, which a page need not carry. Only whole lines
 * go, so that nothing within a string is taken for a comment; sources must not hold template literals of several lines.
 */
export function terse(source: string): string {
  return source
    .replace(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\n\s+/g, '\n');
}

/** A style sheet without comments and the spaces that only people need. Its strings hold no braces, colons or semicolons. */
export function terseStyle(sheet: string): string {
  return sheet
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s*([{};])\s*/g, '$1')
    .replace(/: /g, ':')
    .trim();
}
