import type { CoveredFile } from '../../model/coverage.ts';
import type { FixFact } from '../../model/fixes.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { CoverageFact } from '../../model/result/finding.ts';
import { developmentServerOf } from '../development-server.ts';
import { isWorthIt } from '../fixes/fix.ts';
import { loadOf } from '../fixes/replay/load.ts';
import { savingOf } from '../fixes/replay/replay.ts';
import { downloadOf } from '../fixes/replay/smaller.ts';

/**
 * So much of a file must be unused, bytes on the wire, or of its text where that is not known.
 * Source: Lighthouse, `core/audits/byte-efficiency/unused-javascript.js` (20 KiB) and `unused-css-rules.js` (10 KiB).
 */
const WORTH_MENDING = { script: 20 * 1024, style: 10 * 1024 };

/** A script that the page waits for. */
export type SlowScript = Extract<FixFact, { readonly code: 'slow-script' }>;

/**
 * The same with how much of it was not used: who runs less of a script sends less of it, too.
 *
 * @param files as the traced load used them
 */
export function withUse(slow: SlowScript, files: readonly CoveredFile[]): SlowScript {
  const { code, urls, savesMs, facts } = slow;
  const file = files.find(({ kind, url, inline }) => kind === 'script' && !inline && url === facts.url);
  return { code, urls, savesMs, facts: { ...facts, ...(file && { bytes: file.bytes, unused: file.unused }) } };
}

/**
 * Large files of which much was loaded and not used, with what that cost a load.
 *
 * @param files as the traced load used them; that load is slower, so the saving is another one's. Without scripts of which
 *   it is known that the page waits for their work: that is a fix of its own.
 * @param visit the load to be replayed without it
 */
export function coverageFindings(files: readonly CoveredFile[], visit: Visit): readonly CoverageFact[] {
  const large = files.filter((file) => (unusedTransfer(file) ?? file.unused) >= WORTH_MENDING[file.kind]);
  // A development server sends all of each package; its build leaves out what no other file imports.
  if (large.length === 0 || developmentServerOf(visit.timeline.requests) !== undefined) return [];
  const transfers = large.map(unusedTransfer);
  const isKnown = transfers.every((each) => each !== undefined);
  return [
    {
      code: 'unused-code',
      urls: large.map(({ url }) => url),
      savesMs: savingWithout(large, visit),
      facts: {
        files: large.length,
        bytes: sum(large.map(({ bytes }) => bytes)),
        unused: sum(large.map(({ unused }) => unused)),
        ...(isKnown && { unusedTransfer: sum(transfers) }),
      },
    },
  ];
}

/** About what the unused share of a file has on the wire: compressed as the rest of it. */
function unusedTransfer({ transferSize, bytes, unused }: CoveredFile): number | undefined {
  return transferSize === undefined ? undefined : Math.round((transferSize * unused) / bytes);
}

function sum(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

/** By replaying the requests with shorter downloads: what nobody waits for saves nothing. */
function savingWithout(files: readonly CoveredFile[], visit: Visit): number {
  const load = loadOf(visit);
  if (load === undefined) return 0;
  const shares = new Map(files.flatMap(({ url, inline, unused, bytes }) => (inline ? [] : [[url, unused / bytes]])));
  const shorter = new Map(
    load.steps.flatMap((step) => {
      const share = shares.get(step.request.url);
      return share === undefined ? [] : [[step, { head: 0, receive: downloadOf(step) * share }] as const];
    }),
  );
  const saving = savingOf(load, { shorter });
  return isWorthIt(load, saving) ? saving : 0;
}
