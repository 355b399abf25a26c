/**
 * `npm run bench:main-thread`: which code took the time? The page `fixtures/pages/main-thread` works by the clock, so that
 * the truth is known: of its scripts, and of a click in timed loads. Prints it beside what a traced load finds and what Lighthouse says of the same page, as a Markdown
 * table, and writes bench/results/main-thread.json. `--loads <n>` sets the traced loads (default 5); the median counts.
 *
 * The goal is the right script, function and line, and the time within 15% or 5 ms on an idle machine.
 */

import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startFixtureServer } from '../../fixtures/server.ts';
import { findBrowser } from '../../src/browser/install/find.ts';
import { openChromeLab } from '../../src/browser/lab.ts';
import { inThisProcess } from '../../src/browser/script/run-script.ts';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { DESKTOP } from '../../src/core/conditions/devices.ts';
import { readMainThread } from '../../src/core/main-thread/read.ts';
import { visitOf } from '../../src/core/measure.ts';
import { journeyOf } from '../../src/core/rendering/journey.ts';
import { median } from '../../src/core/time/median.ts';
import { lookupsIn, scriptSources } from '../../src/jobs/engine/code/script-sources.ts';
import type { MainThread } from '../../src/model/main-thread.ts';
import type { Interaction } from '../../src/model/metrics/metrics.ts';
import { fetchScript } from '../../src/shell/source-maps/fetch.ts';
import { table } from '../support/table.ts';

const { values } = parseArgs({ options: { loads: { type: 'string', default: '5' } } });
const LOADS = Number(values.loads);
if (!Number.isInteger(LOADS) || LOADS < 1) throw new Error('--loads takes a whole number from 1 on');

/** What the page does, by its own clock. */
const TRUTH = [
  { script: 'vendor.js', name: 'renderWidget', line: 2, ms: 50 },
  { script: 'app.min.js', name: 'sumPrices', line: 4, ms: 40 },
  { script: 'app.min.js', name: 'drawChart', line: 1, ms: 30 },
] as const;
const GOAL = { share: 0.15, ms: 5 };
/** A click whose handler runs for 30 ms, and whose effect is painted after 80 ms. */
const CLICK = {
  script: 'click.js',
  name: 'click on #buy, until its paint',
  ms: 80,
  functions: ['buyNow', 'drawBasket'],
};

/** Lighthouse's names of the categories. */
const GROUPS: Readonly<Record<string, string>> = {
  scriptEvaluation: 'scriptEvaluation',
  scriptCompile: 'scriptParseCompile',
  parseHtml: 'parseHTML',
  styleLayout: 'styleLayout',
  paint: 'paintCompositeRender',
  garbageCollection: 'garbageCollection',
  other: 'other',
};

const policy = { ...DEFAULT_POLICY, quietWindow: 1_000 };
const never = new AbortController().signal;
const server = await startFixtureServer();
const { path } = await findBrowser(undefined, process.env);
const lab = await openChromeLab({ sandbox: process.getuid?.() !== 0, browserArg: [] }, path);
const url = server.url('main-thread');

const isRight = (found: number | undefined, ms: number): boolean =>
  found !== undefined && Math.abs(found - ms) <= Math.max(GOAL.ms, GOAL.share * ms);

/** The click of a load that is not traced: from the input to the next paint, ms, and the handler's part of it. */
async function clicked(): Promise<Interaction> {
  const script = inThisProcess({ measure: (page, step) => step('buy', () => page.click('#buy')) });
  const context = { url, run: 1, role: 'timed', env: {} } as const;
  const outcome = await lab.record(
    { url, policy, content: false, script: { path: '', file: '', script, timeout: 10_000, steps: true, context } },
    never,
  );
  const journey = outcome.ok ? journeyOf(outcome.steps ?? []) : undefined;
  const [first] = journey?.interactions ?? [];
  if (!first) throw new Error('no interaction was reported');
  return first;
}

/** Is the handler named, and what it ordered for the frame, each in its part? */
function isNamed({ scripts = [] }: Interaction): boolean {
  return (['processing', 'presentation'] as const).every((part, i) =>
    scripts.some((each) => each.part === part && each.name === CLICK.functions[i] && each.url.endsWith(CLICK.script)),
  );
}

async function traced(): Promise<MainThread> {
  const outcome = await lab.record({ url, policy, content: false, trace: true }, never);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const { recording } = outcome;
  const { complete } = visitOf(recording, policy);
  if (!recording.trace || complete.state !== 'complete') throw new Error('nothing was traced');
  const app = new URL('app.min.js', url).href;
  const sources = lookupsIn(await scriptSources((address) => fetchScript(address, never))([{ url: app }]));
  const pageUrl = recording.page?.finalUrl ?? url;
  const found = readMainThread(recording.trace.events, { ...recording.trace, until: complete.at, pageUrl, sources });
  if (!found) throw new Error('nothing was found in the trace');
  return found;
}

interface AuditItems {
  readonly audits: Readonly<
    Record<string, { readonly details?: { readonly items?: readonly Readonly<Record<string, unknown>>[] } } | undefined>
  >;
}

async function lighthouse(): Promise<AuditItems> {
  const outcome = await lab.lighthouse?.(
    {
      url,
      conditions: { device: DESKTOP, cpu: 1, view: 'cold' },
      access: { headers: [], cookies: [], block: [], ignoreCertificateErrors: false },
      block: [],
      firstVisit: 0,
    },
    never,
  );
  if (!outcome?.ok) throw new Error('Lighthouse gave no result');
  return outcome.lhr as AuditItems;
}

try {
  const loads: MainThread[] = [];
  for (let i = 0; i < LOADS; i += 1) loads.push(await traced());
  const { audits } = await lighthouse();
  const itemsOf = (audit: string) => audits[audit]?.details?.items ?? [];
  const scripting = (script: string): string => {
    const item = itemsOf('bootup-time').find((each) => String(each.url).endsWith(`/${script}`));
    return item === undefined ? 'not named' : `${Math.round(Number(item.scripting))} ms, no function`;
  };
  const rows = TRUTH.map(({ script, name, line, ms }) => {
    const found = loads.map(({ byScript }) =>
      byScript
        .find((each) => each.url.endsWith(`/${script}`))
        ?.functions.find(
          (each) => (each.source?.name ?? each.name) === name && (each.source?.line ?? each.line) === line,
        ),
    );
    const times = found.flatMap((each) => each?.ms ?? []);
    const typical = times.length === 0 ? undefined : median(times);
    return {
      script,
      name,
      line,
      ms,
      found: typical,
      named: times.length,
      right: isRight(typical, ms),
    };
  });
  const [first] = loads;
  const clicks: Interaction[] = [];
  for (let i = 0; i < LOADS; i += 1) clicks.push(await clicked());
  const click = {
    ...CLICK,
    found: median(clicks.map(({ duration }) => duration)),
    handler: median(clicks.map(({ processing }) => processing)),
    named: clicks.filter(isNamed).length,
    right: isRight(median(clicks.map(({ duration }) => duration)), CLICK.ms),
  };
  console.log(
    table(
      ['what the page does', 'truth', `found in ${LOADS} traced loads`, 'Lighthouse bootup-time (script)'],
      [
        ...rows.map(({ script, name, line, ms, found, named }) => [
          `${name} (${script}, line ${line})`,
          `${ms} ms`,
          found === undefined ? 'not found' : `${found.toFixed(1)} ms, named in ${named}`,
          scripting(script),
        ]),
        [
          'forced layouts in measureCards (layout.js, line 2)',
          '40',
          `${first?.forcedLayouts?.count ?? 0} in ${first?.forcedLayouts?.place?.name ?? 'nobody'}`,
          scripting('layout.js'),
        ],
        [
          `${click.name} (${click.script})`,
          `${click.ms} ms, 30 ms in its handler`,
          `${click.found.toFixed(1)} ms, ${click.handler.toFixed(1)} ms in its handler (timed loads), ${click.functions.join(' and ')} named in ${click.named}`,
          'does not click',
        ],
      ],
    ),
  );
  const groups = itemsOf('mainthread-work-breakdown');
  const categories = Object.entries(first?.byCategory ?? {}).map(([category, ms]) => {
    const group = groups.find(({ group: id }) => GROUPS[category] === id);
    return [category, `${ms.toFixed(1)} ms`, group === undefined ? '–' : `${Number(group.duration).toFixed(1)} ms`];
  });
  console.log(
    `\n${table(['category', 'until page complete (first load)', 'mainthread-work-breakdown (whole run)'], categories)}`,
  );
  await writeFile(
    new URL('../results/main-thread.json', import.meta.url),
    `${JSON.stringify({ loads: LOADS, rows, click }, null, 2)}\n`,
  );
} finally {
  await lab.close();
  await server.close();
}
