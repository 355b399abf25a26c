import type { Wire } from './wire.ts';

/** What a browser says of itself. */
export interface Greeting {
  /** 'Chrome/156.0.8078.79'. */
  readonly product: string;
  readonly userAgent: string;
}

/** The number of the question; whoever talks over the wire later counts anew. */
const QUESTION = 1;

/**
 * Asks who is at the other end of a wire that nobody else uses yet. Anything may be there: a page's own socket, another
 * protocol such as WebDriver BiDi, a server that echoes. Rejects with the reason when it is no browser; whoever says nothing,
 * or hangs up, is the caller's affair.
 */
export async function greet(wire: Wire): Promise<Greeting> {
  const answer = new Promise<Answer>((resolve) => {
    wire.onmessage = (text) => {
      const message = parsed(text);
      const isEvent = message.method !== undefined && message.id === undefined;
      if (!isEvent) resolve(message);
    };
  });
  wire.send(JSON.stringify({ id: QUESTION, method: 'Browser.getVersion' }));
  const { result, error } = await answer;
  const { product, userAgent } = result ?? {};
  if (typeof product === 'string' && typeof userAgent === 'string') return { product, userAgent };
  const said = typeof error?.message === 'string' ? `: ${error.message}` : '';
  throw new Error(`what answers there does not speak the DevTools protocol of a browser${said}`);
}

/** As far as it is looked at; nothing of it is sure. */
interface Answer {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: Partial<Record<keyof Greeting, unknown>>;
  readonly error?: { readonly message?: unknown };
}

function parsed(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}
