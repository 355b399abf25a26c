import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { type AuditOptions, loadOptionsOf } from '../../support/jobs.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';
import { type Site, serve } from '../site.ts';

/** Puts a picture into the last lines of the viewport, long after everything else was painted, and tells what screen it sees. */
const LAST_LINES = `<!doctype html><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><h3>Sale</h3><script>
  fetch('/screen?' + [innerWidth <= screen.width, innerHeight <= screen.height]);
  setTimeout(() => {
    const style = 'position: absolute; left: 0; top: ' + (innerHeight - 62) + 'px';
    document.body.insertAdjacentHTML('beforeend', '<img id="offer" src="/offer.svg" width="400" height="60" style="' + style + '">');
  }, 500);
</script>`;
/** A picture with less than a bit for 20 pixels is no largest paint. Source: the Largest Contentful Paint specification. */
const CIRCLES = Array.from({ length: 9 }, (_, i) => `<circle cx="${40 * i + 30}" cy="30" r="${9 + i}"/>`).join('');
const OFFER = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60">${CIRCLES}</svg>`;

let lab: ChromeLab;
let site: Site;
beforeAll(async () => {
  [site, lab] = await Promise.all([
    serve(() => ({
      '/': LAST_LINES,
      '/offer.svg': (response) => response.setHeader('content-type', 'image/svg+xml').end(OFFER),
    })),
    sharedLab(),
  ]);
});
afterAll(async () => {
  await lab?.close();
  await site?.close();
});

it.each<AuditOptions>([{}, { device: 'phone' }, { device: 'Galaxy Tab S4 landscape' }])(
  'shows the whole viewport, so that the last paint in it is told (%o)',
  async (settings) => {
    const policy = { ...QUICK, quietWindow: 1_500 };
    const recording = await recordIn(lab, `${site.origin}/`, policy, loadOptionsOf(settings));
    const paints = recording.marks.filter(({ name }) => name === 'largest-contentful-paint');
    expect(paints.at(-1)?.detail).toContain('#offer');
    // A page is no larger than the screen that it is told of.
    expect(site.seen.filter((path) => path.includes('/screen'))).toContain('GET /screen?true,true');
  },
);
