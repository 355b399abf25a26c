import type { Request } from '../../model/network/timeline.ts';
import type { Initiators } from '../requests/initiators.ts';
import { headerOf } from '../text/header.ts';

/**
 * Chrome's priorities of scripts that are neither `async`, `defer` nor modules. Source: "Optimize resource loading with the
 * Fetch Priority API", https://web.dev/articles/fetch-priority: in the head High, later in the body Medium; others Low.
 */
const OF_SCRIPTS: ReadonlySet<string> = new Set(['veryhigh', 'high', 'medium']);
/** Of style sheets whose `media` applies; the others are VeryLow. Source: as above. */
const OF_STYLES: ReadonlySet<string> = new Set(['veryhigh', 'high']);

/**
 * Whether a file in the main document's markup blocks what comes after it. Only where the browser's priority tells it:
 * nothing is guessed of a HAR without priorities.
 */
export function isBlocking(request: Request, initiators: Initiators): boolean {
  const { initiator, type, priority } = request;
  if (initiator?.type !== 'parser' || priority === undefined) return false;
  if (initiators(request)?.request.mainDocument !== true) return false;
  const level = priority.toLowerCase();
  if (type === 'stylesheet') return OF_STYLES.has(level);
  // Modules have the priority of blocking scripts, and wait for the whole document.
  return type === 'script' && OF_SCRIPTS.has(level) && headerOf(request.requestHeaders, 'sec-fetch-mode') !== 'cors';
}
