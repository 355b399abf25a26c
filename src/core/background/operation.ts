import type { PostBody } from '../../model/network/network.ts';

/** Where the body of a remote call says which call it is: GraphQL, JSON-RPC, Bayeux, and the usual homemade names. */
const NAMING_FIELDS = ['operationName', 'method', 'channel', 'action', 'op', 'cmd', 'command', 'event', 'type'];
/** A name, not a text: longer values tell one question from the next, not one kind from another. */
const LONGEST_NAME = 60;
/** `query Notifications(…) {`: GraphQL allows to leave operationName out. */
const GRAPHQL = /^\s*(?:query|mutation|subscription)\s+(\w+)/;

/**
 * The operation that a request body names, where many questions share one address: `Notifications` of a GraphQL query,
 * `/meta/connect` of a Bayeux message. Undefined when it names none.
 */
export function operationOf(body: PostBody): string | undefined {
  if (body.operation !== undefined) return body.operation;
  if (body.text === undefined) return undefined;
  return /^[\s]*[[{]/.test(body.text) ? fromJson(body.text) : fromForm(body);
}

function fromJson(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const message: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof message !== 'object' || message === null) return undefined;
  const fields = message as Readonly<Record<string, unknown>>;
  const query = typeof fields.query === 'string' ? GRAPHQL.exec(fields.query)?.[1] : undefined;
  return nameIn((name) => (Object.hasOwn(fields, name) ? fields[name] : undefined)) ?? query;
}

function fromForm({ mimeType, text }: PostBody): string | undefined {
  if (!mimeType.toLowerCase().startsWith('application/x-www-form-urlencoded')) return undefined;
  const fields = new URLSearchParams(text);
  return nameIn((name) => fields.get(name) ?? undefined);
}

function nameIn(read: (field: string) => unknown): string | undefined {
  for (const field of NAMING_FIELDS) {
    const value = read(field);
    if (typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME) return value;
  }
  return undefined;
}
