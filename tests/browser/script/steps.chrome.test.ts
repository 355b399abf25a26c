import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { inThisProcess } from '../../../src/browser/script/run-script.ts';
import type { Script } from '../../../src/browser/script/script.ts';
import { FINISHED, judge } from '../../../src/core/completion/complete.ts';
import { buildHar } from '../../../src/core/har/build.ts';
import { validateHar } from '../../../src/core/har/validate.ts';
import { measure, visitOf } from '../../../src/core/measure.ts';
import { readHar } from '../../../src/core/sources/har.ts';
import { foldTimeline } from '../../../src/core/timeline/fold.ts';
import type { Visit } from '../../../src/model/network/visit.ts';
import type { LoadOutcome, StepOutcome } from '../../../src/model/recording/lab.ts';
import type { Recording } from '../../../src/model/recording/recording.ts';
import members from '../../jobs/engine/scripts/members.ts';
import { sharedLab } from '../../support/lab.ts';
import { POLICY } from '../../support/scripted.ts';
import { serve } from '../site.ts';

/** Browser and server read the clock of one system, not in the same way. */
const CLOCKS_MS = 50;
/** Short, for what is tested are answers. */
const QUIET_MS = 800;

let server: FixtureServer;
let lab: ChromeLab;
beforeAll(async () => {
  [server, lab] = await Promise.all([startFixtureServer(), sharedLab()]);
});
afterAll(async () => {
  await lab?.close();
  await server?.close();
});

/** Loads a page once with a script. */
function load(
  url: string,
  script: Script,
  more: { env?: Record<string, string>; timeout?: number; untimed?: boolean } = {},
) {
  const file = fileURLToPath(import.meta.url);
  return lab.record(
    {
      url,
      policy: { ...POLICY, quietWindow: QUIET_MS, timeout: 20_000 },
      content: false,
      ...(more.untimed && { film: true, trace: true }),
      script: {
        path: 'steps.test.ts',
        file,
        script: inThisProcess(script),
        timeout: more.timeout ?? 15_000,
        steps: script.measure !== undefined,
        context: { url, run: 1, role: 'timed', env: more.env ?? {} },
      },
    },
    new AbortController().signal,
  );
}

function stepsOf(outcome: LoadOutcome): readonly StepOutcome[] {
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.steps ?? [];
}

function recordingOf(step: StepOutcome | undefined): Recording {
  if (!step) throw new Error('no such step');
  if (!step.outcome.ok) throw new Error(step.outcome.failure.message);
  return step.outcome.recording;
}

function completeAt({ complete }: Visit): number {
  if (complete.state !== 'complete') throw new Error(`the step is ${complete.state}`);
  return complete.at;
}

const pathOf = (url: string): string => new URL(url).pathname;

describe('steps of a member', () => {
  let steps: readonly StepOutcome[];
  let loaded: Recording;
  let moments: ReadonlyMap<string, number>;
  const visit = (nth: number): Visit => {
    const step = steps[nth];
    if (!step) throw new Error('no such step');
    return visitOf(recordingOf(step), step.policy);
  };
  beforeAll(async () => {
    const outcome = await load(server.url('members'), members);
    steps = stepsOf(outcome);
    if (!outcome.ok) throw new Error(outcome.failure.message);
    loaded = outcome.recording;
    moments = server.loads.findLast(({ scenario }) => scenario.name === 'members')?.moments ?? new Map();
  }, 60_000);

  it('are recorded behind the login, one after the other', () => {
    expect(loaded.page?.title).toBe("Members' shop");
    expect(steps.map(({ name, outcome }) => [name, outcome.ok])).toEqual([
      ['Add to basket!', true],
      ['open orders', true],
    ]);
  });

  it.each([
    ['a soft navigation', 0, 'basket', ['/members/api/basket', '/members/api/suggestions']],
    ['another document', 1, 'orders', ['/members/orders', '/members/api/orders']],
  ])('are complete when the last has come that they needed: %s', (_, nth, moment, needed) => {
    const { recording, timeline } = visit(nth);
    const sentAt = (moments.get(moment) ?? Number.NaN) - recording.navigation.startedAt;
    const came = timeline.requests.filter(({ url }) => needed.includes(pathOf(url)));
    const cameAt = Math.max(...came.map(({ endedAt = Number.NaN }) => endedAt));
    expect(cameAt).toBeGreaterThan(Math.max(0, sentAt - CLOCKS_MS));
    expect(completeAt(visit(nth))).toBeGreaterThanOrEqual(cameAt);
  });

  it("are not disturbed by the load's stream and poll", () => {
    const { timeline, verdicts } = visit(0);
    const paths = timeline.requests.map(({ url }) => pathOf(url));
    expect(paths).toContain('/members/api/stock');
    expect(paths).not.toContain('/members/api/prices');
    expect(timeline.requests.every(({ startedAt }) => startedAt >= 0)).toBe(true);
    const foreground = timeline.requests.filter(({ id }) => !verdicts.has(id)).map(({ url }) => pathOf(url));
    expect(foreground).toEqual(['/members/api/basket', '/members/api/suggestions']);
  });

  it('say how the page went on', () => {
    expect(visit(0).recording.incidents).toMatchObject([
      { code: 'soft-navigation', facts: { url: expect.stringContaining('/members/basket') } },
    ]);
    expect(visit(0).recording.page?.finalUrl).toBe(server.url('members', 'basket'));
    expect(visit(1).recording.incidents).toMatchObject([{ code: 'hard-navigation' }]);
  });

  it('have the metrics that make sense for them', () => {
    const soft = measure(visit(0), steps[0]?.policy ?? POLICY).metrics;
    // No browser tells of an interaction that is over within a frame, and a busy machine may keep the second clock back.
    const notAlways = ['cpuTime', 'interactionToNextPaint', 'stolenTime'];
    expect(
      Object.keys(soft)
        .filter((name) => !notAlways.includes(name))
        .sort(),
    ).toEqual(
      [
        'cumulativeLayoutShift',
        'firstContentfulPaint',
        'largestContentfulPaint',
        'mainThreadTime',
        'mostlyComplete',
        'networkComplete',
        'pageComplete',
        'requestCount',
        'totalBlockingTime',
        'transferSize',
        'waitTime',
      ].sort(),
    );
    expect(soft.requestCount).toBe(2);
    const hard = measure(visit(1), steps[1]?.policy ?? POLICY).metrics;
    expect(hard.firstContentfulPaint).toBeGreaterThan(0);
    expect(hard.load).toBeLessThanOrEqual(hard.pageComplete ?? 0);
    for (const { pageComplete = 0, cpuTime, stolenTime, mainThreadTime = 0, waitTime = 0 } of [soft, hard]) {
      expect(mainThreadTime + waitTime).toBeCloseTo(pageComplete, 1);
      // Both clocks are known, or none.
      expect(cpuTime === undefined).toBe(stolenTime === undefined);
      if (cpuTime === undefined || stolenTime === undefined) continue;
      expect(cpuTime).toBeGreaterThan(0);
      expect(cpuTime + stolenTime).toBeCloseTo(mainThreadTime, 1);
    }
  });

  it('are judged alike from their HARs', () => {
    for (const [i, { policy }] of steps.entries()) {
      const { recording, timeline, complete, verdicts } = visit(i);
      const har = buildHar(recording, timeline, { version: '0', policy, verdicts: [...verdicts.values()] });
      expect(validateHar(har)).toEqual([]);
      expect(har.log.entries).toHaveLength(recording.announcedHops);
      const { recordings } = readHar(JSON.parse(JSON.stringify(har)));
      const [read] = recordings;
      if (!read) throw new Error('no page in the HAR');
      const again = judge(foldTimeline(read.events, read.marks, read.observedUntil), read.policy ?? policy, FINISHED);
      expect(again).toEqual(complete);
    }
  });
});

it('a soft navigation has paints of its own, and a page that navigates so by itself says it', async () => {
  const site = await serve(() => ({
    '/': `<link rel="icon" href="data:,"><h1>Shop</h1><button id="open">Open</button> <button id="more">More</button><main></main>
      <script>
        history.replaceState({}, '', '/?seen');
        history.replaceState({}, '', '/home');
        const show = async (html) => (document.querySelector('main').innerHTML = html + (await (await fetch('/text')).text()));
        document.querySelector('#open').onclick = () => (history.pushState({}, '', '/product'), show('<h2>Lantern</h2>'));
        document.querySelector('#more').onclick = () => show('');
      </script>`,
    '/text': (response) => response.end('Burns for nine hours. '.repeat(30)),
  }));
  try {
    const outcome = await load(`${site.origin}/`, {
      async measure(page, step) {
        await step('open', () => page.click('#open'));
        await step('more', () => page.click('#more'));
      },
    });
    const [open, more] = stepsOf(outcome).map((step) => ({
      recording: recordingOf(step),
      metrics: measure(visitOf(recordingOf(step), step.policy), step.policy).metrics,
    }));
    const { firstContentfulPaint = 0, largestContentfulPaint = 0, pageComplete } = open?.metrics ?? {};
    expect(firstContentfulPaint).toBeGreaterThan(0);
    expect(largestContentfulPaint).toBeGreaterThanOrEqual(firstContentfulPaint);
    expect(pageComplete).toBeGreaterThanOrEqual(largestContentfulPaint);
    expect(more?.recording.incidents).toEqual([]);
    expect(more?.metrics).not.toHaveProperty('firstContentfulPaint');
    expect(more?.metrics).toHaveProperty('totalBlockingTime');
    if (!outcome.ok) throw new Error(outcome.failure.message);
    expect(outcome.recording.incidents).toMatchObject([
      { code: 'soft-navigation', facts: { url: `${site.origin}/home` } },
    ]);
  } finally {
    await site.close();
  }
});

it('a click has its interaction to next paint with its scripts, and a fast one counts, too', async () => {
  const outcome = await load(server.url('main-thread'), {
    async measure(page, step) {
      await step('fast', () => page.click('h1'));
      await step('buy', () => page.click('#buy'));
    },
  });
  const metricsOf = (nth: number) => {
    const step = stepsOf(outcome)[nth];
    const policy = step?.policy ?? POLICY;
    return measure(visitOf(recordingOf(step), policy), policy);
  };
  // Of a fast one, too.
  expect(metricsOf(0).metrics.interactionToNextPaint).toBeGreaterThan(0);
  const { metrics, interaction, blockingScripts, longestFrame } = metricsOf(1);
  if (!interaction) throw new Error('nobody saw the click');
  const { inputDelay, processing, presentation, duration } = interaction;
  expect(inputDelay + processing + presentation).toBeCloseTo(duration, 3);
  expect(metrics.interactionToNextPaint).toBe(duration);
  expect(blockingScripts?.map(({ url }) => pathOf(url))).toContain('/main-thread/click.js');
  const scripts = interaction.scripts?.map(({ part, name, url }) => [part, name, pathOf(url)]);
  expect(scripts).toEqual([
    ['processing', 'buyNow', '/main-thread/click.js'],
    ['presentation', 'drawBasket', '/main-thread/click.js'],
  ]);
  // Each script is inside its part, but for what the browser takes off a part when it rounds to 8 ms.
  const [buyNow, drawBasket] = interaction.scripts ?? [];
  expect(buyNow?.ms).toBeLessThanOrEqual(processing + 8);
  expect(drawBasket?.ms).toBeLessThanOrEqual(presentation + 8);
  expect(longestFrame?.duration).toBeGreaterThan(Math.max(buyNow?.ms ?? Number.NaN, drawBasket?.ms ?? Number.NaN));
  // The longest first: on a busy machine that may be either.
  expect(longestFrame?.scripts.map(({ name }) => name).toSorted()).toEqual(['buyNow', 'drawBasket']);
}, 60_000);

it('a step of an untimed load knows what led to what', async () => {
  const site = await serve(() => ({
    '/': '<link rel="icon" href="data:,"><button>More</button><script src="app.js"></script>',
    '/app.js': (response) =>
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(`
        async function more() {
          await (await fetch('list')).text();
          await fetch('item');
        }
        document.querySelector('button').onclick = more;`),
    '/list': (response) => response.end('list'),
    '/item': (response) => response.end('item'),
  }));
  try {
    const script: Script = {
      async measure(page, step) {
        await step('more', () => page.click('button'));
      },
    };
    const [step] = stepsOf(await load(`${site.origin}/`, script, { untimed: true }));
    const { causes } = recordingOf(step);
    const item = causes?.find(({ url }) => pathOf(url) === '/item');
    expect(item).toMatchObject({ cause: 'response', byUrl: `${site.origin}/list`, place: { function: 'more' } });
    const [timed] = stepsOf(await load(`${site.origin}/`, script));
    expect(recordingOf(timed).causes).toBeUndefined();
  } finally {
    await site.close();
  }
}, 60_000);

describe('a script', () => {
  it('finds what it put into the storage in every load, and no cache of its own visit', async () => {
    const site = await serve(() => ({
      '/': '<script src="kept.js"></script><script>fetch("/api?" + localStorage.token)</script>',
      '/kept.js': (response) => {
        response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=600' }).end('1');
      },
    }));
    try {
      const outcome = await load(`${site.origin}/`, {
        async before(page) {
          await page.goto(`${site.origin}/`);
          await page.evaluate(() => localStorage.setItem('token', 'of-the-script'));
        },
      });
      expect(outcome.ok).toBe(true);
      expect(site.seen.filter((each) => each.startsWith('GET /api'))).toEqual([
        'GET /api?undefined',
        'GET /api?of-the-script',
      ]);
      expect(site.seen.filter((each) => each === 'GET /kept.js')).toHaveLength(2);
    } finally {
      await site.close();
    }
  });

  it('that is not let in fails the load, names its line, and keeps what it read from the environment', async () => {
    const outcome = await load(
      server.url('members'),
      {
        before(_page: Page, { env }) {
          throw new Error(`not let in with ${env.PASSWORD}`);
        },
      },
      { env: { PASSWORD: 'wrong-and-secret' } },
    );
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'script-failed' } });
    if (outcome.ok) return;
    expect(outcome.failure.message).toMatch(/^steps\.test\.ts:\d+ failed in before\(\): not let in with \S+\.$/);
    expect(outcome.failure.message).not.toContain('secret');
    expect(outcome.recording).toBeUndefined();
  });

  it('that never ends is ended, before the load and in a step', async () => {
    const never = () => new Promise(() => undefined);
    const before = await load(server.url('plain'), { before: never }, { timeout: 1_000 });
    expect(before).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('1 s (--script-timeout)') },
    });
    const measured = await load(
      server.url('plain'),
      {
        async measure(_page, step) {
          await step('one', () => undefined);
          await step('two', never);
          await step('three', () => undefined);
        },
      },
      { timeout: 2_000 },
    );
    expect(stepsOf(measured).map(({ name, outcome }) => [name, outcome.ok])).toEqual([
      ['one', true],
      ['two', false],
    ]);
  });

  it.each<[string, Script['measure'], string]>([
    [
      'a step fails',
      (page, step) => step('buy', () => page.click('#nothing')),
      'in the step "buy": No element found for selector: #nothing',
    ],
    [
      'a step fails that has the name of the function',
      (page, step) => step('measure()', () => page.click('#nothing')),
      'in the step "measure()": No element found',
    ],
    [
      'something fails between steps',
      () => {
        throw new Error('no more');
      },
      'in measure(): no more',
    ],
    [
      'a step has no name',
      (_page, step) => step(' ', () => undefined),
      'a step needs a name: step("open the menu", async () => …)',
    ],
    [
      'a step has no function',
      (_page, step) => step('buy', 'click' as never),
      'the step "buy" needs a function: step("buy", async () => …)',
    ],
    [
      'two steps have one name',
      async (_page, step) => {
        await step('buy', () => undefined);
        await step('buy', () => undefined);
      },
      'two steps are called "buy"',
    ],
    [
      'a step begins in another',
      (_page, step) => step('outer', () => step('inner', () => undefined)),
      'the step "inner" begins inside another one',
    ],
  ])('says that %s', async (_, measured, message) => {
    const steps = stepsOf(await load(server.url('plain'), { ...(measured && { measure: measured }) }));
    const last = steps.at(-1)?.outcome;
    expect(last).toMatchObject({ ok: false, failure: { code: 'script-failed' } });
    expect(last?.ok === false && last.failure.message).toContain(message);
  });

  it('that does not wait for its step gets it all the same', async () => {
    const steps = stepsOf(
      await load(server.url('plain'), {
        measure(_page, step) {
          void step('left alone', () => undefined);
        },
      }),
    );
    expect(steps).toMatchObject([{ name: 'left alone', outcome: { ok: true } }]);
  });

  it('ends with the load that the user ends', async () => {
    const abort = new AbortController();
    const url = server.url('plain');
    const loading = lab.record(
      {
        url,
        policy: POLICY,
        content: false,
        script: {
          path: 'x.ts',
          file: '/x.ts',
          timeout: 15_000,
          steps: false,
          context: { url, run: 1, role: 'timed', env: {} },
          script: inThisProcess({
            before() {
              abort.abort(new Error('enough'));
              return new Promise(() => undefined);
            },
          }),
        },
      },
      abort.signal,
    );
    await expect(loading).rejects.toThrow('enough');
  });
});

it('says that the page crashed in a step, and does no step after it', async () => {
  const steps = stepsOf(
    await load(server.url('plain'), {
      async measure(page, step) {
        await step('crash', async () => {
          await page.goto('chrome://crash').catch(() => undefined);
        });
        await step('later', () => undefined);
      },
    }),
  );
  expect(steps.map(({ name }) => name)).toEqual(['crash']);
  expect(steps[0]?.outcome).toMatchObject({ ok: false, failure: { code: 'page-crashed' } });
});
