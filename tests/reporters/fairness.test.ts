import { describe, expect, test } from 'vitest';
import type { HostResult, RunResult } from '../../src/model/result.ts';
import { fairnessOf, trustOf } from '../../src/reporters/fairness.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { toTargetSummary } from '../../src/result/run-summary.ts';
import { exampleReport, failedReport, reportOf, singleRunReport } from './example-report.ts';
import { labPage, labPageReport, PHONE } from './lab-example.ts';

const BUSY: HostResult = {
  verdict: 'unfit',
  busyByOthers: 0.62,
  steal: 0.07,
  pressure: { cpu: 0.3, io: 0.2 },
  reasons: ['other programs used 62% of the CPU'],
};

/** The example without its failed run; `change` is asked of each timed run. */
function report(
  change: (run: RunResult) => Partial<RunResult> = () => ({}),
  agreement?: 'stable' | 'varies' | 'disagrees',
) {
  const [target] = exampleReport().targets;
  if (target === undefined) throw new Error('the example has a target');
  const { result, ...rest } = target;
  const runs = result.runs
    .filter((run) => run.ok)
    .map((run) => (run.role === 'timed' ? { ...run, ...change(run) } : run));
  const { pageComplete } = result.summary;
  const summary =
    agreement === undefined || pageComplete === undefined
      ? result.summary
      : { ...result.summary, pageComplete: { ...pageComplete, agreement } };
  return reportOf({ ...result, ...rest, runs, summary });
}
const verdict = (...of: Parameters<typeof report>) => {
  const [target] = report(...of).targets;
  return target && fairnessOf(target);
};
const part = (html: string): string =>
  (html.slice(html.indexOf('>Was this a fair measurement?</h3>')).split('<section')[0] ?? '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the verdict', () => {
  test('is yes where the machine was fit and the runs agree', () => {
    expect(verdict()).toEqual({
      tone: 'better',
      sign: '✓',
      sentence: 'Yes: the machine had little else to do in all 5 runs, and the runs agree.',
    });
  });

  test('is partly where the machine was busy in the untimed run, whose proofs hold for the timed ones', () => {
    const [target] = report().targets;
    if (target === undefined) throw new Error('the example has a target');
    const runs = target.result.runs.map((run) => (run.role === 'evidence' ? { ...run, host: BUSY } : run));
    const busy = { ...target, result: { ...target.result, runs } };
    expect(fairnessOf(busy)).toMatchObject({
      tone: 'unsure',
      aside:
        'The machine was busy with other things in the untimed run, which tells content from background: that may be wrong. Measure again while nothing else runs.',
    });
    expect(trustOf(busy)).toMatchObject({
      sure: false,
      words: ['5 runs agree', 'machine busy in the untimed run'],
    });
  });

  test('is no where it was not, in however few runs', () => {
    const some = verdict(({ index }) => (index === 2 ? { host: BUSY } : {}));
    expect(some?.tone).toBe('worse');
    expect(some?.sentence).toBe(
      'No: the machine was busy with other things in 1 of 5 runs, so its time may be too long.',
    );
    expect(verdict(() => ({ host: BUSY }))?.sentence).toContain('in all 5 runs, so their times may');
  });

  test('is in part where only the runs disagree, and says what would help', () => {
    expect(verdict(undefined, 'disagrees')?.sentence).toMatch(/^Partly: .* the runs disagree; more runs \(--runs\)/);
    expect(verdict(undefined, 'varies')?.sentence).toContain('; the runs vary a little.');
  });

  test('is not known where the system does not tell', () => {
    const unknown = verdict(() => ({ host: { verdict: 'unknown', reasons: [] } }));
    expect(unknown?.sign).toBe('?');
    expect(unknown?.sentence).toMatch(/^Not known: /);
    expect(verdict(() => ({ host: undefined }) as unknown as Partial<RunResult>)?.sign).toBe('?');
  });

  test('is not known of a browser on another machine, and says whether the one that drove it was busy', () => {
    const far = (driver: HostResult['driver'] = 'free') => ({
      host: { verdict: 'unknown' as const, driver, reasons: ['the browser runs on another machine'] },
    });
    const elsewhere = verdict(() => far());
    expect(elsewhere).toMatchObject({
      tone: 'unsure',
      sign: '?',
      aside: expect.stringMatching(/^Whether it was fair is not known: the browser/),
    });
    expect(elsewhere?.sentence).toBe(
      'Not known: the browser ran on another machine, whose load could not be seen, and the runs agree.',
    );
    expect(verdict(({ index }) => far(index < 3 ? 'busy' : 'free'))?.sentence).toMatch(
      / The machine that controls it was itself more than 50% busy in 2 of 5 runs\.$/,
    );
    const { targets, result, ...rest } = report(() => far());
    const note = 'Started without <b>--disable-quic</b>.';
    const told = {
      ...rest,
      targets,
      result: { ...result, browser: { product: 'Chrome/1', elsewhere: true, notes: [note] } },
    };
    const html = part(renderHtml(told));
    expect(html).toContain('? Not known: the browser ran on another machine');
    expect(html).toContain('Browser Chrome/1, on another machine Started without &lt;b>');
    expect(renderTerminal(told, { color: false, width: 200 })).toContain(
      '! Whether it was fair is not known: the browser ran on another machine',
    );
    const markdown = renderAuditMarkdown(told);
    expect(markdown).toContain('> [!NOTE]\n> Whether it was fair is not known: the browser ran on another machine');
    // What has nothing to say leaves nothing behind.
    expect(markdown).not.toMatch(/^–$/m);
    expect(markdown).toMatch(/`Chrome\/1` on another machine.*Started without/);
  });

  test('is not given of a page that was not measured', () => {
    const [target] = failedReport().targets;
    expect(target && fairnessOf(target)).toBeUndefined();
  });

  test('speaks of one run as one', () => {
    const [target] = singleRunReport().targets;
    expect(target && fairnessOf(target)?.sentence).toBe('Yes: the machine had little else to do in its one run.');
  });
});

describe('the part', () => {
  test('tells machine, conditions, browser and what does not count', () => {
    const text = part(renderHtml(exampleReport()));
    expect(text).toContain(
      '✓ Yes: the machine had little else to do in all 5 runs, and the runs agree. 1 more run failed.',
    );
    expect(text).toContain('Runs that count 5 of 6; 1 failed');
    expect(text).toContain('stable: half of the interval 1.21–1.27 s is within 5% of the median');
    expect(text).toContain('CPU used by other programs 3.5% to 5.5%');
    expect(text).toContain('empty cache, no cookies');
    expect(text).toContain('network and processor not slowed down');
    expect(text).toContain('Chromium 156.0.8078.79, its sandbox on');
    expect(text).toMatch(
      /1 discarded run .* 1 evidence run .* 1 ablation run .*; none of their times is in any figure/,
    );
    expect(text).toMatch(/Run 6 failed, tried 2 times: Nothing listens at/);
  });

  test('says of a busy machine how busy, and of each run why', () => {
    const text = part(renderHtml(report(({ index }) => (index === 2 ? { host: BUSY } : {}))));
    expect(text).toContain('CPU used by other programs 3.5% to 62%');
    expect(text).toContain('CPU time taken by the hypervisor 0% to 7.0%');
    expect(text).toContain('for a processor 30%, for a disk 20% of the time');
    // In its row, and nowhere twice: six busy runs would push out what failed.
    expect(text).toContain('unfit other programs used 62% of the CPU');
    expect(text.match(/62% of the CPU/g)).toHaveLength(1);
  });

  test('says what was repeated', () => {
    const repeated = report(({ index }) =>
      index === 1 ? { repeatedBecause: ['the host was busy'], attempts: 2 } : {},
    );
    const text = part(renderHtml(repeated));
    expect(text).toContain('Run 1 was repeated: the host was busy.');
    expect(text).toContain('Run 1 succeeded, tried 2 times.');
  });

  test('names the conditions, the screen, the profile, and the network as it really was', () => {
    const text = part(renderHtml(labPageReport()));
    expect(text).toContain(`Conditions ${PHONE.sentence}`);
    expect(text).toContain('Screen 412 × 823 px, 1.75 device pixels each, touch, laid out as on phones');
    expect(text).toContain('in which the page was loaded once before: its caches are full');
    expect(text).toContain('Network as it really was 565–577 ms from request to response, 1.40–1.44 Mbit/s down');
    expect(text).not.toContain('not slowed down');
    expect(text).not.toContain('not what was asked for');
  });

  test.each([
    ['network-conditions-off', 'This run did not get the network slow-4g.'],
    ['network-limit-exceeded', 'More arrived than the network slow-4g allows.'],
  ])('says in how many runs the network was another one: %s', (code, message) => {
    const off = { code, message, urls: [] };
    const page = labPage();
    const runs = page.runs.map((run) => (run.index === 2 || run.index === 4 ? { ...run, findings: [off] } : run));
    const text = part(renderHtml(reportOf({ ...page, runs })));
    expect(text).toContain('! Partly: the network was not as requested in 2 of 5 runs');
    expect(text).toContain('✗ not as requested in 2 of 5 runs');
  });

  test('never says 0 of what is not known', () => {
    const text = part(renderHtml(report(() => ({ host: { verdict: 'unknown', reasons: [] } }))));
    expect(text).toContain('CPU used by other programs not known');
    expect(text).toContain('CPU time taken by the hypervisor not known');
    expect(text).not.toContain('Tasks had to wait');
  });
});

describe('beside the answer', () => {
  const busy = report(() => ({ host: BUSY }));

  test('it is told that a measurement was not fair, with the way to why', () => {
    const html = renderHtml(busy);
    const [before = ''] = html.split('<dl class="figures');
    const [, id] =
      /role="note">The machine was busy with other things in all 5 runs[^<]*<a href="#([^"]+)">/.exec(before) ?? [];
    expect(html).toContain(`id="${id}">Was this a fair measurement?`);
    expect(renderHtml(report())).not.toContain('role="note"');
  });

  test('of many pages, of how many', () => {
    const index = (of: ReturnType<typeof report>) => {
      const targets = of.targets.map(toTargetSummary);
      return renderHtml({ ...of, targets, pages: targets.map((_, i) => `pages/p-${i}.html`) });
    };
    const both = { ...busy, targets: [...busy.targets, ...report().targets] };
    expect(index(both)).toContain('while 1 of 2 pages was measured');
    expect(index(busy)).toContain('while every page was measured');
    expect(index(report())).not.toContain('was busy');
    const eleven = { ...busy, targets: Array.from({ length: 11 }, () => busy.targets).flat() };
    expect(renderTerminal(eleven, { color: false, width: 200 })).toContain(
      '! The machine was busy with other things while every page',
    );
  });
});

test('a terminal tells what was not fair, and nothing else', () => {
  const text = (of: ReturnType<typeof report>) => renderTerminal(of, { color: false, width: 100 });
  expect(text(report(({ index }) => (index === 2 ? { host: BUSY } : {})))).toContain(
    '! The machine was busy with other things in 1 of 5 runs',
  );
  expect(text(report())).not.toContain('had little else');
});
