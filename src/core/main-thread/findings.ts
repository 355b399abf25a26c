import type { MainThread, ScriptPlace } from '../../model/main-thread.ts';
import type { MainThreadFact } from '../../model/result/finding.ts';

/**
 * So many layouts forced one after another are a loop that alternates between writing and reading, and so much time is worth mending:
 * a few single questions for a size are normal.
 */
const THRASHING = { layouts: 10, ms: 16 };

/** What is remarkable about what the main thread did, with the place. */
export function mainThreadFindings(mainThread: Omit<MainThread, 'trace'>): readonly MainThreadFact[] {
  const { forcedLayouts, longStyles = [], longParses = [] } = mainThread;
  const findings: MainThreadFact[] = [];
  if (forcedLayouts && forcedLayouts.count >= THRASHING.layouts && forcedLayouts.ms >= THRASHING.ms) {
    const { count, ms, place } = forcedLayouts;
    findings.push({ code: 'layout-thrashing', urls: urlsOf(place), facts: { layouts: count, ms, ...at(place) } });
  }
  const [style] = longStyles.toSorted((a, b) => b.duration - a.duration);
  if (style) {
    const { duration, elements, place } = style;
    findings.push({
      code: 'long-style-recalculation',
      urls: urlsOf(place),
      facts: { times: longStyles.length, ms: duration, elements, ...at(place) },
    });
  }
  const [parse] = longParses.toSorted((a, b) => b.duration - a.duration);
  if (parse) {
    const { duration, url, lines } = parse;
    findings.push({
      code: 'large-document-parse',
      urls: url === undefined ? [] : [url],
      facts: { times: longParses.length, ms: duration, lines },
    });
  }
  return findings;
}

function urlsOf(place: ScriptPlace | undefined): readonly string[] {
  return place === undefined ? [] : [place.url];
}

function at(place: ScriptPlace | undefined): { readonly place?: ScriptPlace } {
  return place === undefined ? {} : { place };
}
