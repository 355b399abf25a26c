/** An element of an XML document. Texts and values of attributes may be anything: they are escaped where it is written. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content: string | readonly XmlElement[];
}

/** Values of attributes; those that are undefined are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element with elements or a text in it. */
export function element(name: string, attributes: Attributes, content: XmlElement['content'] = []): XmlElement {
  return { name, attributes, content };
}

/** The element as a whole document: XML 1.0, UTF-8, a line for each element. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, '')}`;
}

function written({ name, attributes, content }: XmlElement, indent: string): string {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(String(value))}"`],
  );
  const open = `${indent}<${name}${given.join('')}`;
  if (content.length === 0) return `${open}/>\n`;
  if (typeof content === 'string') return `${open}>${escaped(content)}</${name}>\n`;
  return `${open}>\n${content.map((each) => written(each, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

/** What XML 1.0 has no way to write, not even as a reference. Source: XML 1.0, 2.2 "Characters". */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A reader ends lines its own way.
  '\r': '&#13;',
};

function escaped(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"'\r]/g, (sign) => REFERENCES[sign] ?? sign);
}
