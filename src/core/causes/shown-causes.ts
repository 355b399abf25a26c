import type { ShownCause } from '../../model/completion/causes.ts';
import { type Chains, createChains, inScript, type Led, UNKNOWN } from './chains.ts';
import type { CauseEvents, SentRequest } from './events.ts';

/** What made each request of a traced load be asked for. */
export function shownCauses(events: CauseEvents, chains: Chains = createChains(events)): readonly ShownCause[] {
  const byId = new Map(events.sent.map((each) => [each.id, each]));
  return events.sent.map((request) => shown(request, chains, byId));
}

const BY_STYLE: ReadonlySet<string> = new Set(['UpdateLayoutTree', 'Layout']);
const BY_PARSER: ReadonlySet<string> = new Set(['ParseHTML', 'ParseAuthorStyleSheet']);

function shown(
  request: SentRequest,
  { led, readerOf, fileOf }: Chains,
  byId: ReadonlyMap<string, SentRequest>,
): ShownCause {
  const { id, url, at, thread, initiator, initiatorUrl, place } = request;
  const around = readerOf(thread).around(at);
  const isIn = (names: ReadonlySet<string>): boolean => around.some(({ name }) => names.has(name));
  const found = causeOf();
  const by = found.by === id ? undefined : found.by;
  const byUrl = by === undefined ? undefined : byId.get(by)?.url;
  return {
    requestId: id,
    url,
    cause: by === undefined && found.cause !== 'render' ? 'unknown' : found.by === id ? 'unknown' : found.cause,
    by,
    byUrl,
    place,
  };

  function causeOf(): Led {
    if (around.some(inScript)) return led({ thread, at, file: place?.url });
    if (isIn(BY_STYLE)) return { cause: 'render' };
    const named = fileOf(initiatorUrl, { thread, at });
    if (named === undefined) return led({ thread, at });
    // Of a module that it has read the renderer fetches what that imports. Of what it calls a parser's it is sure only there.
    if (initiator === 'script') return { cause: 'script', by: named };
    return initiator === 'parser' && isIn(BY_PARSER) ? { cause: 'parser', by: named } : UNKNOWN;
  }
}
