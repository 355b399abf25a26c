import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { visitOf } from '../../../src/core/measure.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';
import { type Site, serve } from '../site.ts';

let lab: ChromeLab;
let site: Site;
beforeAll(async () => {
  [site, lab] = await Promise.all([
    serve(() => ({
      '/framed': '<iframe sandbox srcdoc="&lt;img src=photo.png&gt;"></iframe>',
      '/refused': (response) => {
        response.setHeader('content-type', 'text/html');
        response.setHeader('content-security-policy-report-only', "img-src 'none'; report-uri reports");
        response.end('<link rel="icon" href="data:,"><img src="photo.png">');
      },
      '/reports': 'queued',
      '/photo.png': 'no picture',
    })),
    sharedLab(),
  ]);
});
afterAll(async () => {
  await lab?.close();
  await site?.close();
});

it('tells what a sandboxed frame without an address asks for', async () => {
  const { timeline } = visitOf(await recordIn(lab, `${site.origin}/framed`, QUICK), QUICK);
  expect(timeline.requests.map(({ url }) => url)).toContain(`${site.origin}/photo.png`);
});

it('knows what the browser reports of a policy, by whatever type the browser gives it', async () => {
  const { timeline, verdicts } = visitOf(await recordIn(lab, `${site.origin}/refused`, QUICK), QUICK);
  const reports = timeline.requests.filter(({ url }) => url === `${site.origin}/reports`);
  expect(reports.length).toBeGreaterThan(0);
  for (const { id, type } of reports) {
    expect(type).toBe('csp-violation-report');
    expect(verdicts.get(id)?.reason).toEqual({ code: 'csp-report' });
  }
});
