import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { folderForAll } from '../../../support/folders.ts';
import { comparePages } from '../../../support/jobs.ts';
import { sharedLab } from '../../../support/lab.ts';
import { IMPATIENT } from '../../../support/patience.ts';
import { COMPARING } from '../../../support/settings.ts';

const JOURNEY = fileURLToPath(new URL('../../../../fixtures/journey/', import.meta.url));
const out = folderForAll('journey');
/** Some eighty loads and steps, on a machine that does other things as well. */
const LONG_MS = 300_000;

it(
  'finds the step of a journey behind a login whose server is slower, and the step that is new',
  async () => {
    process.env.SHOP_PASSWORD = 'second-bridge-4';
    const { result, exit } = await comparePages(
      {
        ...COMPARING,
        quietWindow: 500,
        observation: IMPATIENT,
        targets: [JOURNEY, JOURNEY],
        serveCommand: `${JSON.stringify(process.execPath)} server.ts`,
        serveUrl: 'http://localhost:{port}/',
        candidateEnv: ['SLOW_SERVER=add:500', 'OFFERS=1'],
        script: `${JOURNEY}journey.ts`,
        out: out(),
        format: ['json'],
        sandbox: process.getuid?.() !== 0,
        gate: ['page-complete'],
        maxPairs: 8,
        looks: [8],
      },
      { microBenchmark: () => 10, openLab: sharedLab },
    );
    const decided = new Map(result.targets.map(({ name, decision }) => [name, decision]));
    expect([...decided.keys()]).toEqual(['page load', 'open product', 'add to basket', 'check out', 'show offers']);
    expect(decided.get('add to basket')).toBe('slower');
    for (const name of ['page load', 'open product', 'check out']) expect(decided.get(name)).not.toBe('slower');
    expect(result.targets.at(-1)?.leftOut).toContain('only in the candidate');
    expect(result.sentence).toMatch(/^1 of 5 steps is slower: add to basket /);
    expect(exit).toBe(1);
    // Checking out changes the address without a document, and has paints all the same.
    const checkout = result.targets[3]?.candidate.runs.find(({ role }) => role === 'timed');
    expect(checkout?.metrics?.largestContentfulPaint).toBeGreaterThan(0);
  },
  LONG_MS,
);
