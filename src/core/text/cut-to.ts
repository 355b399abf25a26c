/** At most so many UTF-16 units of a text. What was cut ends in "…": redaction looks there for a part of a secret. */
export function cutTo(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
