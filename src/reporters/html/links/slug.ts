/** A title as a part of ids. */
export const slug = (title: string): string => title.toLowerCase().replace(/[^a-z]+/g, '-');
