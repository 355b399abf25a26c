import { expect, it } from 'vitest';
import { coverageFindings } from '../../../src/core/coverage/findings.ts';
import type { CoveredFile } from '../../../src/model/coverage.ts';
import type { Visit } from '../../../src/model/network/visit.ts';
import { findingMessage } from '../../../src/wording/result/findings.ts';
import { recording, request, response, timeline } from '../../support/factories.ts';
import { ORIGIN } from '../../support/scripted.ts';

const KIB = 1024;
const file = (name: string, bytes: number, unused: number, more: Partial<CoveredFile> = {}): CoveredFile => ({
  kind: 'script',
  url: `${ORIGIN}/${name}`,
  party: 'shop.test',
  thirdParty: false,
  bytes,
  unused,
  ...more,
});
/** The last answer that the page waits for takes 800 ms, most of it for the body. */
const requests = [
  request({
    id: 'doc',
    type: 'document',
    mainDocument: true,
    url: `${ORIGIN}/`,
    response: response({ at: 40, mimeType: 'text/html' }),
    endedAt: 50,
  }),
  request({
    id: 'app',
    type: 'script',
    url: `${ORIGIN}/app.js`,
    startedAt: 100,
    response: response({ at: 150 }),
    endedAt: 900,
  }),
];
const visit: Visit = {
  recording: recording({}),
  timeline: timeline(requests, {}),
  verdicts: new Map(),
  overruled: new Map(),
  complete: { state: 'complete', at: 900, networkAt: 900, decidedAt: 9_000 },
  raw: { state: 'never', waitingFor: [] },
};
const findings = (...files: readonly CoveredFile[]) => coverageFindings(files, visit);

it('tells of files of which much is unused, and what it would save', () => {
  const [found, ...more] = findings(
    file('app.js', 200 * KIB, 100 * KIB, { transferSize: 80 * KIB }),
    file('small.js', 15 * KIB, 15 * KIB),
    file('a.css', 30 * KIB, 12 * KIB, { kind: 'style', transferSize: 29 * KIB }),
  );
  expect(more).toEqual([]);
  expect(found?.urls).toEqual([`${ORIGIN}/app.js`, `${ORIGIN}/a.css`]);
  expect(found?.facts).toMatchObject({ files: 2, bytes: 230 * KIB, unused: 112 * KIB });
  expect(found?.facts.unusedTransfer).toBe(40 * KIB + Math.round((29 * 12 * KIB) / 30));
  expect(found?.savesMs).toBeGreaterThan(0);
  expect(found && findingMessage(found, `${ORIGIN}/`)).toMatch(/^49% of 2 files \(115 kB, .*, or remove it\.$/);
});

it('saves nothing where page complete does not wait for the file', () => {
  const [found] = findings(file('other.js', 100 * KIB, 90 * KIB));
  expect(found?.savesMs).toBe(0);
  expect(found?.facts).not.toHaveProperty('unusedTransfer');
});

it('takes what is small on the wire for small', () => {
  expect(findings(file('app.js', 60 * KIB, 40 * KIB, { transferSize: 15 * KIB }))).toEqual([]);
  expect(findings()).toEqual([]);
});
