import { createEraser } from '../access/secrets.ts';
import type { QuiesceHar } from './format.ts';
import { REDACTED, REDACTED_IN_URL } from './redact.ts';

/** What the user gave to get into the page. */
export interface GivenSecrets {
  /** Values that must not stand anywhere. */
  readonly texts: readonly string[];
  /** Headers, in lower case, whose values must not stand there however short they are. */
  readonly headers: readonly string[];
}

/**
 * The same HAR without what the user gave, wherever a page, a server or the browser may have put it. Unlike redaction it
 * looks at every text, also where everything else that is secret is kept on request.
 */
export function eraseFromHar(har: QuiesceHar, given: GivenSecrets): QuiesceHar {
  const erase = createEraser(given.texts);
  if (!erase && given.headers.length === 0) return har;
  const text = (value: string): string =>
    erase?.(value, /^(?:[a-z][\w+.-]*:\/)?\/\S*$/i.test(value) ? REDACTED_IN_URL : REDACTED) ?? value;
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    if (isGivenHeader(value, given.headers)) return { ...value, value: REDACTED };
    if (isBinary(value) && erase && holdsSecret(value.text, erase)) {
      const { encoding: _encoding, ...content } = value;
      return { ...(walk({ ...content, text: '' }) as object), text: REDACTED };
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each)]));
  };
  return walk(har) as QuiesceHar;
}

function isGivenHeader(value: object, names: readonly string[]): boolean {
  return (
    'name' in value && 'value' in value && typeof value.name === 'string' && names.includes(value.name.toLowerCase())
  );
}

function isBinary(value: object): value is { readonly text: string; readonly encoding: 'base64' } {
  return 'text' in value && typeof value.text === 'string' && 'encoding' in value && value.encoding === 'base64';
}

function holdsSecret(base64: string, erase: NonNullable<ReturnType<typeof createEraser>>): boolean {
  try {
    const bytes = atob(base64);
    return erase(bytes, '') !== bytes;
  } catch {
    return false;
  }
}
