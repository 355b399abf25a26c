import { describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/model/report.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import {
  analysisReport,
  exampleReport,
  failedReport,
  reportOf,
  shopWaterfall,
  singleRunReport,
  summarise,
  type TargetSketch,
} from './example-report.ts';
import { expectSelfContained, markup, waterfallsIn } from './markup.ts';

/** What a reader sees, tags and packed waterfalls taken away. */
function words(html: string): string {
  return (
    markup(html)
      .replace(/<script type="text\/plain"[\s\S]*?<\/script>/g, '')
      // A possible line break is no space.
      .replace(/<wbr\/?>/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/&quot;/g, '"')
      .replace(/&lt;/g, '<')
      .replace(/&amp;/g, '&')
      .replace(/\s+/g, ' ')
  );
}

describe('the example', () => {
  const html = renderHtml(exampleReport());
  const text = words(html);

  test('says when the page was complete, and what network idle would have said', () => {
    expect(text).toMatch(/The page is complete after 1\.24\s?s \( ?1\.21–1\.27\s?s +from 5 runs, stable\)\./);
    expect(text).toContain('a stream and a “notify” long poll keep the network busy.');
    expect(text).toContain('5 runs agree · machine quiet');
    expect(text).toMatch(/Network idle never every request counted/);
  });

  test('holds every part', () => {
    const titles = [...html.matchAll(/<h3[^>]*>([^<]+)<\/h3>/g)].map(([, title]) => title);
    expect(titles).toEqual([
      'Findings',
      'Where the time went',
      'What it looked like',
      'Waterfall',
      'Background traffic',
      'All figures',
      'Was this a fair measurement?',
      'Downloads',
    ]);
    expect(text).toContain('1 of 6 timed runs could not be measured.');
    expect(text).toContain('Both bars show the same time.');
    expect(html).toContain('href="run-3.har"');
  });

  test('has a row for each request without the help of a script', () => {
    const [waterfall] = exampleReport().targets[0]?.waterfalls ?? [];
    expect(html.match(/role="row" title=/g)).toHaveLength(waterfall?.rows.length ?? 0);
    expect(text).toContain('hero-1280.webp');
    expect(html).toContain('title="GET https://cdn.shop.example/img/hero-1280.webp"');
  });

  test('asks for nothing else and lets nothing else run', () => {
    expectSelfContained(html);
  });
});

/** The example with another first target. */
function exampleWith(change: (target: Sketch) => Partial<Sketch>, settings: Record<string, unknown> = {}): AuditReport {
  const report = exampleReport();
  const [first] = report.targets;
  if (first === undefined) throw new Error('the example has a target');
  const { result, ...rest } = first;
  const sketch = { ...result, ...rest };
  const made = reportOf({ ...sketch, ...change(sketch) });
  return { ...made, result: { ...made.result, settings: { ...made.result.settings, ...settings } } };
}
type Sketch = TargetSketch;

/** A part of the page, from its title to the next. */
function part(html: string, title: string): string {
  return words(html.slice(html.indexOf(`>${title}</h3>`)).split('<section')[0] ?? '');
}

describe('background traffic', () => {
  const html = renderHtml(exampleReport());
  const text = part(html, 'Background traffic');

  test('the dearest endpoint comes first, each with what counting it would have done', () => {
    const [, table = ''] = text.split('What to do');
    expect(
      [...table.concat(text.split('What to do').slice(2).join()).matchAll(/(?:GET|POST) \S+/g)].map(
        ([endpoint]) => endpoint,
      ),
    ).toEqual([
      'GET /events?*',
      'GET /notify/poll?*',
      'GET /api/stock?*',
      'POST /collect',
      'GET /chat/*',
      'GET /api/reviews',
    ]);
    expect(text).toMatch(/asked again every 1.00 s .* 7.90 s instead of 1.24 s/);
    expect(text).toMatch(/text\/event-stream: by its protocol .* never instead of 1.24 s/);
    expect(text).toContain('If all of it counted (network idle) never instead of 1.24 s');
  });

  test('traffic, confidence and what was seen on the screen are words', () => {
    expect(text).toContain('11 requests, every 1.00 s 0.98–11.03 s');
    expect(text).toContain('1 request 0.54–11.51 s, still open');
    expect(text).toContain('likely, from how it behaved');
    expect(text).toContain('changes nothing on the screen');
    expect(text).toContain('brought content at first; later updates changed nothing');
    expect(text).toContain('It keeps changing the screen: its first content counts, its updates do not.');
  });

  test('what counts all the same stands apart and says who said so', () => {
    const [left = '', counted = ''] = text.split('Looks like background, but counts');
    expect(left).not.toContain('/chat/*');
    expect(counted).toContain('counted anyway, because of --foreground /chat');
    expect(counted).toContain('counted anyway, because the page looks different without it');
    expect(counted).not.toContain('/events');
  });

  test('many endpoints are folded from the thirteenth on', () => {
    const [model] = exampleReport().targets[0]?.result.background ?? [];
    if (model === undefined) throw new Error('the example has background traffic');
    const background = Array.from({ length: 40 }, (_, i) => ({ ...model, endpoint: `GET https://shop.example/b${i}` }));
    const many = part(renderHtml(exampleWith(() => ({ background }))), 'Background traffic');
    expect(many).toContain('28 more endpoints that cost less');
    expect(many.indexOf('/b11')).toBeLessThan(many.indexOf('28 more'));
    expect(many.indexOf('/b12')).toBeGreaterThan(many.indexOf('28 more'));
  });
});

describe('findings', () => {
  test('stand once, with how many runs show them and where to look', () => {
    const text = part(renderHtml(exampleReport()), 'Findings');
    expect(text).toMatch(/Stream starvation in 5 of 5 runs 6 open streams .*https:\/\/shop.example\/events/);
    expect(text.match(/Live content/g)).toHaveLength(1);
  });

  test('are the same when ids and figures alone differ', () => {
    const report = exampleWith(({ runs }) => ({
      runs: runs.map((run) => ({
        ...run,
        findings:
          run.index > 4
            ? []
            : [
                {
                  code: 'late-content',
                  message: `waited ${run.index}.5 s`,
                  urls: [`https://shop.example/job/${run.index}?t=${run.index}`],
                },
              ],
      })),
    }));
    const text = part(renderHtml(report), 'Findings');
    expect(text).toContain('in 4 of 5 runs');
    expect(text.match(/Late content/g)).toHaveLength(1);
  });
});

describe('runs', () => {
  const html = renderHtml(exampleReport());
  const text = part(html, 'Was this a fair measurement?');

  test('say how long they watched and why', () => {
    expect(text).toContain('12.40 s a poll every 1.00 s was asked twice more to be sure of its rhythm');
  });

  test('untimed ones come last and are in no figure', () => {
    expect(
      [...text.slice(text.indexOf('Every run')).matchAll(/\d (timed|discarded|evidence|ablation) /g)].map(
        ([, role]) => role,
      ),
    ).toEqual([...Array<string>(6).fill('timed'), 'discarded', 'evidence', 'ablation']);
    expect(text).toContain('7 evidence untimed: films the page 8.80 s');
    expect(html.match(/<tr id="[\w-]+" role="row" class="untimed">/g)).toHaveLength(3);
    expect(part(html, 'All figures')).not.toMatch(/8\.80|7\.70|9\.90/);
    expect(part(html, 'All figures')).toContain('Medians over 5 timed runs');
  });

  test('one that should have proved something and failed does not count as failed', () => {
    const failure = { code: 'browser-died', message: 'The browser died.' };
    const report = exampleWith(({ runs }) => ({
      runs: runs.filter((run) => run.ok).map((run) => (run.role === 'evidence' ? { ...run, ok: false, failure } : run)),
    }));
    const told = words(renderHtml(report));
    expect(told).toContain('All 5 timed runs were measured, but the untimed runs that prove the result failed.');
    expect(told).toContain('evidence run 7: The browser died.');
  });
});

describe('a row that is background', () => {
  test('is hatched, and up to where it counts it is not', () => {
    const html = renderHtml(exampleReport());
    expect(html.match(/<svg class="h" viewBox="0 0 1e5/g)).toHaveLength(17);
    const parted = /<div class="r g o"[^>]*events\?channel=stock[^>]*>[\s\S]*?<div class="r/.exec(html)?.[0] ?? '';
    expect(parted.match(/<svg [^>]*viewBox/g)).toHaveLength(2);
    // 640 of 12,400 ms.
    expect(parted).toContain('<path class="u" d="M5161 0v20"');
    expect(parted).toContain('counts until 640 ms');
  });
});

describe('an analysis', () => {
  const html = renderHtml(analysisReport());
  const text = words(html);

  test('speaks of recorded pages and files, not of runs, machines and evidence', () => {
    expect(text).toContain('2 of 3 recorded pages analysed');
    expect(text).toContain('Recorded page, from the file shop.example.har.gz');
    expect(text).toContain('Analysed 2026-03-01');
    expect(html).not.toMatch(/>(What it looked like|Every run|Machine|Was this a fair measurement\?)</);
    expect(text).not.toContain('changes nothing on the screen');
    expect(text).not.toMatch(/\btimed\b|median|\binterval/i);
    expect(part(html, 'All figures')).toContain('As they were read from the recording.');
    expect(part(html, 'Recording')).toContain('Recorded for');
    expect(html).toContain('<a href="../recordings/shop%20floor.har.gz"><bdi dir="ltr">shop%20floor.har.gz</bdi></a>');
    // Why a live watcher would have gone on is no reason for the length of a file.
    expect(text).not.toContain('was asked twice more');
  });

  test('an answer that is not confirmed says what is missing', () => {
    expect(text).toContain('The page-complete time is not confirmed. The recording ends at 3.31 s;');
    expect(text).toContain('What is missing: 1.79 s more of silence the load event: the file has no onLoad');
    expect(html).toContain('<p class="judged unknown"><span aria-hidden="true">?</span> Not confirmed</p>');
    expect(text.match(/The file does not say when the load event fired/g)).toHaveLength(1);
  });

  test('a file that could not be read says where', () => {
    expect(text).toContain('This file could not be analysed. log.entries[12].startedDateTime: not a date');
    expect(text).toContain('recordings/broken.har ✗ not analysed');
  });
});

test('only failed runs: their messages, no empty tables', () => {
  const html = renderHtml(failedReport());
  expect(words(html)).toContain('2 of 2 runs could not be measured.');
  expect(words(html)).toContain('Run 2: No such host: https://gone.example/. Check the spelling.');
  for (const title of [
    'All figures',
    'Waterfall',
    'Background traffic',
    'What it looked like',
    'Where the time went',
  ]) {
    expect(html, title).not.toContain(`>${title}</h3>`);
  }
});

test('one run: no interval, no breakdown, no choice of runs', () => {
  const html = renderHtml(singleRunReport());
  expect(words(html)).toContain('! only 1 run');
  expect(words(html)).toContain('one run');
  expect(html).not.toContain('aria-label="Stages');
  expect(html).not.toContain('class="chooser"');
  expect(words(html)).toContain('None was found: every request counts, so nothing had to be proved.');
});

test('a page that never completed says so', () => {
  const single = singleRunReport();
  const [target] = single.targets;
  const [run] = target?.result.runs ?? [];
  if (target === undefined || run === undefined) throw new Error('the example has a run');
  const never = {
    ...run,
    pageComplete: {
      state: 'never' as const,
      observedUntil: 60_000,
      raw: { state: 'never' as const },
      waitingFor: ['https://shop.example/slow'],
    },
    metrics: { load: 688 },
  };
  const html = renderHtml(
    reportOf({
      ...target.result,
      runs: [never],
      summary: summarise([never]),
      sentence: 'The page was never complete within 60.00 s. It was still waiting for GET /slow.',
      notes: [],
      representative: never,
      waterfalls: [{ run: 1, rows: [], milestones: [], observedUntil: 60_000 }],
    }),
  );
  expect(words(html)).toContain('✗ Never complete The page was never complete within 60.00 s.');
  expect(words(html)).not.toContain('Fix first');
  expect(words(html)).toContain('No requests were recorded.');
  expect(words(html)).not.toContain('median run');
});

test('an interrupted audit says so', () => {
  const report = exampleReport();
  expect(words(renderHtml({ ...report, result: { ...report.result, interrupted: true } }))).toContain(
    'This audit was ended early.',
  );
});

test('several targets have contents and a section each', () => {
  const both = [exampleReport(), failedReport()].flatMap((report) =>
    report.targets.map(({ result, ...rest }) => ({ ...result, ...rest })),
  );
  const html = renderHtml(reportOf(...both));
  expect(html).toContain('href="#t2"');
  expect(html.match(/<article/g)).toHaveLength(2);
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('hostile text', () => {
  const evil = '</script></noscript></title></style><img src=x onerror=alert(1)>"\'`\u2028\u202e\ud800&lt;';
  const long = `https://shop.example/${'a'.repeat(10_000)}`;

  function hostileReport() {
    const waterfall = shopWaterfall(1);
    const [model] = waterfall.rows;
    if (model === undefined) throw new Error('the example has rows');
    const row = {
      ...model,
      url: `https://shop.example/${evil}`,
      method: evil,
      mimeType: evil,
      protocol: evil,
      priority: evil,
      initiator: evil,
      outcome: evil,
      fromCache: evil,
      background: { kind: 'poll' as const, because: evil, confidence: evil },
    };
    const rows = [row, { ...row, url: 'javascript:alert(1)' }, { ...row, url: long }];
    const hostile = { ...waterfall, rows, milestones: [{ name: evil, label: evil, at: 10 }] };
    const report = exampleReport();
    const [target] = report.targets;
    if (target === undefined) throw new Error('the example has a target');
    const sketch = {
      ...target.result,
      target: evil,
      url: `javascript:alert("${evil}")`,
      finalUrl: long,
      title: evil,
      runs: target.result.runs.map((run) => ({
        ...run,
        har: `../${evil}`,
        failure: { code: evil, message: evil },
        findings: [{ code: evil, message: evil, urls: [evil, 'javascript:alert(1)', long] }],
        host: { verdict: 'unfit' as const, reasons: [evil] },
      })),
      background: target.result.background.map((endpoint) => ({
        ...endpoint,
        endpoint: evil,
        because: evil,
        overruledBy: evil,
      })),
      evidence: {
        watchedUntil: 1,
        watchedBecause: evil,
        pictures: [
          { at: 1, file: '../secret.png', caption: evil },
          { at: 2, file: 'javascript:alert(1)', caption: long },
          { at: 3, file: evil, caption: evil },
          { at: 4, file: '__proto__', caption: evil },
        ],
        ablation: {
          held: [evil, long],
          difference: Number.NaN,
          same: false,
          pictures: { with: 'evidence/a.png', without: '/etc/passwd', difference: '//other.example/x.png' },
          sentence: evil,
        },
      },
      pictures: {
        '../secret.png': 'https://other.example/x.png',
        'javascript:alert(1)': 'data:image/svg+xml;base64,PHN2Zy8+',
        'evidence/a.png': 'data:image/png;base64,AAAA" onerror="alert(1)',
      },
      sentence: evil,
      notes: [evil],
      ...(target.representative && { representative: target.representative }),
      waterfalls: [hostile, { ...hostile, run: 2 }],
    };
    const made = reportOf(sketch);
    return {
      ...made,
      result: {
        ...made.result,
        startedAt: evil,
        browser: { product: evil, userAgent: evil },
        settings: { [evil]: evil },
      },
    };
  }

  const html = renderHtml(hostileReport());

  test('opens no element and ends none', () => {
    expect(html).not.toContain('<img');
    expect(html.match(/<title>/g)?.length).toBe(html.match(/<\/title>/g)?.length);
    expect(html).not.toContain('</noscript');
    // One for the page's own script, one for what it draws the waterfalls from.
    expect(html.match(/<\/script/g)).toHaveLength(2);
    expect(html.match(/<\/style/g)).toHaveLength(1);
  });

  test('holds no invisible characters and no halves of pairs', () => {
    expect(html.isWellFormed()).toBe(true);
    expect(markup(html)).not.toMatch(/[\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect(html).toContain('[U+202E]');
  });

  test('makes links of http and https only', () => {
    for (const [, href = ''] of html.matchAll(/\shref="([^"]*)"/g))
      expect(href).toMatch(/^(https?:\/\/|data:image\/svg|#|evidence\/[\w-]+\.png$|result\.json$)/);
    expect(html).not.toMatch(/href="[^"]*javascript:/);
    for (const [anchor] of html.matchAll(/<a [^>]*target="_blank"[^>]*>/g)) expect(anchor).toContain('noopener');
  });

  test('long URLs are shortened in sight and whole in the details', async () => {
    expect(words(html)).not.toContain('a'.repeat(1000));
    const [group] = await waterfallsIn(html);
    expect(group?.figures[0]?.runs[0].load.rows[2]?.url).toBe(long);
  });

  test('is harmless in what the script draws from as well', async () => {
    const [group] = await waterfallsIn(html);
    const text = JSON.stringify(group);
    expect(text).toContain('[U+202E]');
    expect(text).not.toMatch(/[\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect(text.isWellFormed()).toBe(true);
    const rows = group?.figures.flatMap(({ runs }) => runs.flatMap(({ load }) => load.rows)) ?? [];
    expect(rows.map(({ followed }) => followed)).toEqual([false, false, true, false, false, true]);
  });
});

test('the script needs nothing from outside', () => {
  const source = /<script>([\s\S]*)<\/script>/.exec(renderHtml(failedReport()))?.[1] ?? '';
  expect(source.length).toBeGreaterThan(10_000);
  expect(source).not.toMatch(/__vi|__name|__vite|_jsx|import\(|require\(|import\.meta/);
  expect(source).not.toContain('</');
  expect(() => new Function(source)).not.toThrow();
});

test('a folder is called what it was typed as, beside where it was served', () => {
  const { result, columns, targets } = exampleReport();
  const folder = targets.map((each) => ({ ...each, result: { ...each.result, target: './dist' } }));
  const subject = (html: string) => /<p class="subject">.*?<\/p>/s.exec(html)?.[0].replace(/<[^>]+>/g, '');
  expect(subject(renderHtml({ result, columns, targets: folder }))).toMatch(/\.\/dist at https:\/\/shop\.example\/$/);
  expect(subject(renderHtml({ result, columns, targets }))).not.toContain(' at ');
});
