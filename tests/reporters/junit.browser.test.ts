import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { auditReport } from '../../src/jobs/engine/reports/report-model.ts';
import type { BudgetResult, BudgetState } from '../../src/model/budgets.ts';
import type { AuditReport } from '../../src/model/result/report.ts';
import type { MetricSummary, PageCompleteResult } from '../../src/model/result/result.ts';
import { renderAuditJunit, renderComparisonJunit } from '../../src/reporters/junit.ts';
import { auditOf, measuredTarget } from '../support/stored-results.ts';
import { anyLetters } from '../support/texts.ts';
import { comparisonReport } from './comparison.ts';
import {
  analysisReport,
  exampleReport,
  exampleTarget,
  failedReport,
  reportOf,
  singleRunReport,
} from './example-report.ts';
import { TRICKS, withForeignText } from './hostile.ts';
import { openReportBrowser, type ReportBrowser } from './report-browser.ts';

/** An element as a strict parser (libxml2, in Chromium) reads it. */
interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
  readonly text: string;
}

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await openReportBrowser();
});
afterAll(() => browser.close());

/** Parses each document; what is not well-formed is an element `parsererror` with the reason. */
async function parse(documents: readonly string[]): Promise<readonly Node[]> {
  let parsed: readonly Node[] = [];
  await browser.show('<!doctype html><title>parser</title>', {}, async ({ page }) => {
    parsed = await page.evaluate((texts) => {
      const read = (element: Element): Node => ({
        name: element.nodeName,
        attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
        children: [...element.children].map(read),
        text: [...element.childNodes].flatMap((each) => (each.nodeType === 3 ? (each.nodeValue ?? '') : [])).join(''),
      });
      return texts.map((text) => {
        const xml = new DOMParser().parseFromString(text, 'application/xml');
        const error = xml.querySelector('parsererror');
        return read(error ?? xml.documentElement);
      });
    }, documents);
  });
  return parsed;
}

const one = async (document: string): Promise<Node> => {
  const [root] = await parse([document]);
  if (root === undefined) throw new Error('nothing was parsed');
  return root;
};

/**
 * What may stand where. Source: junit-10.xsd of Jenkins' xUnit plugin, the strictest schema that is in use.
 */
const SCHEMA: Readonly<
  Record<
    string,
    { readonly needs: readonly string[]; readonly may: readonly string[]; readonly holds: readonly string[] }
  >
> = {
  testsuites: { needs: [], may: ['name', 'time', 'tests', 'failures', 'errors'], holds: ['testsuite'] },
  testsuite: {
    needs: ['name', 'tests', 'failures', 'errors'],
    may: ['time', 'skipped', 'timestamp'],
    holds: ['properties', 'testcase'],
  },
  properties: { needs: [], may: [], holds: ['property'] },
  property: { needs: ['name', 'value'], may: [], holds: [] },
  testcase: {
    needs: ['name', 'classname'],
    may: ['time'],
    holds: ['failure', 'error', 'skipped', 'system-out', 'system-err'],
  },
  failure: { needs: ['message', 'type'], may: [], holds: ['#text'] },
  error: { needs: ['message', 'type'], may: [], holds: ['#text'] },
  skipped: { needs: ['message', 'type'], may: [], holds: [] },
  'system-out': { needs: [], may: [], holds: ['#text'] },
  'system-err': { needs: [], may: [], holds: ['#text'] },
};

/** Holds that the document has the shape of the schema, that its numbers add up, and that no case hides another. */
function expectJunit(root: Node): void {
  expect(root.name, root.text || JSON.stringify(root)).toBe('testsuites');
  const check = (node: Node): void => {
    const rule = SCHEMA[node.name];
    if (rule === undefined) throw new Error(`unknown element ${node.name}`);
    const given = Object.keys(node.attributes);
    expect(given).toEqual(expect.arrayContaining([...rule.needs]));
    expect([...rule.needs, ...rule.may]).toEqual(expect.arrayContaining(given));
    if (!rule.holds.includes('#text')) expect(node.text.trim()).toBe('');
    for (const child of node.children) {
      expect(rule.holds).toContain(child.name);
      check(child);
    }
    if (node.attributes.time !== undefined) expect(node.attributes.time).toMatch(/^\d+\.\d{3}$/);
    if (node.attributes.timestamp !== undefined)
      expect(node.attributes.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  };
  check(root);
  const cases = root.children.flatMap((suite) => suite.children.filter(({ name }) => name === 'testcase'));
  const names = cases.map(({ attributes: { classname, name } }) => `${classname}\n${name}`);
  expect(new Set(names).size).toBe(names.length);
  for (const { attributes, children } of [root, ...root.children]) {
    const own = children.flatMap((child) => (child.name === 'testsuite' ? child.children : [child]));
    const tests = own.filter(({ name }) => name === 'testcase');
    const ended = (how: string): string =>
      String(tests.filter((each) => each.children.some(({ name }) => name === how)).length);
    expect(attributes.tests).toBe(String(tests.length));
    expect(attributes.failures).toBe(ended('failure'));
    expect(attributes.errors).toBe(ended('error'));
    if (attributes.skipped !== undefined) expect(attributes.skipped).toBe(ended('skipped'));
  }
}

/** "page complete: failure never-complete" for each case but that of the page's health, which has tests of its own. */
const endings = (root: Node): readonly string[] => allEndings(root).filter((ending) => ending !== 'page works: passed');

const allEndings = (root: Node): readonly string[] =>
  root.children
    .flatMap(({ children }) => children.filter(({ name }) => name === 'testcase'))
    .map(({ attributes, children }) => {
      const trouble = children.find(({ name }) => ['failure', 'error', 'skipped'].includes(name));
      return `${attributes.name}: ${trouble === undefined ? 'passed' : `${trouble.name} ${trouble.attributes.type}`}`;
    });

const textOf = (root: Node, testcase: string, element: string): string =>
  root.children
    .flatMap(({ children }) => children)
    .filter(({ attributes }) => attributes.name === testcase)
    .flatMap(({ children }) => children)
    .find(({ name }) => name === element)?.text ?? '';

/** The example with the answers of its timed runs, by index, replaced, and the summary of page-complete. */
function withAnswers(
  answers: Readonly<Record<number, PageCompleteResult['state']>>,
  summary?: Partial<MetricSummary>,
): AuditReport {
  const report = exampleReport();
  const target = exampleTarget();
  const runs = target.result.runs.map((run) => {
    const state = answers[run.index];
    if (state === undefined || run.pageComplete === undefined) return run;
    const { at: _, ...answer } = run.pageComplete;
    return { ...run, pageComplete: { ...answer, state, waitingFor: ['GET /slow'] } };
  });
  const known = target.result.summary.pageComplete;
  const pageComplete = known === undefined ? undefined : { ...known, ...summary };
  const result = { ...target.result, runs, summary: { ...(pageComplete && { pageComplete }) } };
  const representative = runs.find(({ index }) => index === target.representative?.index);
  return { ...report, targets: [{ ...target, result, ...(representative && { representative }) }] };
}

describe('an audit', () => {
  test('the quiet window is the one that each page was judged with', () => {
    const report = exampleReport();
    const targets = [2_000, 4_000].flatMap((quietWindow) =>
      report.targets.map((each) => {
        const policy = { ...DEFAULT_POLICY, quietWindow };
        return { ...each, result: { ...each.result, policy } };
      }),
    );
    const text = renderAuditJunit({ ...report, targets });
    expect([...text.matchAll(/name="quietWindow" value="(\d+)"/g)].map(([, value]) => value)).toEqual(['2000', '4000']);
    // Results of earlier versions have it in their settings.
    const earlier = report.targets.map(({ result: { policy: _policy, ...result }, ...each }) => ({ ...each, result }));
    expect(renderAuditJunit({ ...report, targets: earlier })).toContain('name="quietWindow" value="3000"');
  });

  test('that was measured passes, and takes as long as the page', async () => {
    const root = await one(renderAuditJunit(exampleReport()));
    expectJunit(root);
    expect(endings(root)).toEqual(['page complete: passed', 'runs agree: passed']);
    expect(allEndings(root)).toContain('page works: passed');
    const [suite] = root.children;
    expect(suite?.attributes).toMatchObject({
      name: 'quiesce audit https://shop.example/',
      timestamp: '2026-03-01T10:20:30',
    });
    expect(suite?.children.find(({ attributes: { name } }) => name === 'page complete')?.attributes).toEqual({
      name: 'page complete',
      classname: 'https://shop.example/',
      time: '1.243',
    });
    expect(textOf(root, 'page complete', 'system-out')).toContain(
      '- poll GET https://shop.example/api/stock?*, if counted 7.90 s',
    );
    expect(textOf(root, 'page complete', 'system-err')).toContain('run 6: Nothing listens');
    expect(textOf(root, 'runs agree', 'system-out')).toContain('1.21–1.27 s (93% interval of 5 runs): stable');
  });

  test.each([
    ['never complete in one run', { 2: 'never' }, 'failure never-complete'],
    ['never and not confirmed', { 2: 'never', 3: 'unconfirmed' }, 'failure never-complete'],
    ['not confirmed in one run', { 2: 'unconfirmed' }, 'skipped unconfirmed'],
  ] as const)('%s is told as that', async (_, answers, ending) => {
    const root = await one(renderAuditJunit(withAnswers(answers)));
    expectJunit(root);
    expect(endings(root)[0]).toBe(`page complete: ${ending}`);
  });

  test('says in how many runs it was never complete, and what it waited for', async () => {
    const root = await one(renderAuditJunit(withAnswers({ 2: 'never', 4: 'never' })));
    expect(textOf(root, 'page complete', 'failure')).toMatch(
      /^never complete in 2 of 5 runs, waiting for GET \/slow\n/,
    );
  });

  test.each([
    [{ agreement: 'stable' }, 'passed'],
    [{ agreement: 'varies' }, 'passed'],
    [{ agreement: 'disagrees' }, 'skipped runs-disagree'],
  ] as const)('whose runs say %j', async (summary, ending) => {
    const root = await one(renderAuditJunit(withAnswers({}, summary)));
    expect(endings(root)[1]).toBe(`runs agree: ${ending}`);
  });

  test('that could not be measured is an error, never a failure of the page', async () => {
    const root = await one(renderAuditJunit(failedReport()));
    expectJunit(root);
    expect(endings(root)).toEqual(['page complete: error host-not-found', 'runs agree: skipped too-few-runs']);
    expect(textOf(root, 'page complete', 'error')).toContain('No such host: https://gone.example/');
  });

  test('of one run has nothing that could agree', async () => {
    expect(endings(await one(renderAuditJunit(singleRunReport())))).toEqual(['page complete: passed']);
  });

  test('of nothing has no case', async () => {
    const root = await one(renderAuditJunit(reportOf()));
    expectJunit(root);
    expect(root.children).toEqual([]);
  });

  test('of the same page twice has cases that can be told apart', async () => {
    const report = exampleReport();
    expectJunit(await one(renderAuditJunit({ ...report, targets: [...report.targets, ...report.targets] })));
  });
});

test('an analysis is a suite for each recorded page', async () => {
  const root = await one(renderAuditJunit(analysisReport()));
  expectJunit(root);
  expect(root.attributes.name).toBe('quiesce analyze');
  expect(root.children.map(({ attributes }) => attributes.name)).toEqual([
    'quiesce analyze shop.example.har.gz https://shop.example/',
    'quiesce analyze recordings/checkout.har https://shop.example/checkout',
    'quiesce analyze recordings/broken.har',
  ]);
  expect(endings(root)).toEqual([
    'page complete: passed',
    'page complete: skipped unconfirmed',
    'page complete: error har-invalid',
  ]);
});

test('steps are suites with the name of their page, and pages have the names that the user gave them', async () => {
  const load = measuredTarget('./dist', [1_000, 1_010, 1_020]);
  const named = { ...load, name: 'Shop' };
  const targets = [
    load,
    { ...load, name: 'menu', step: 'menu' },
    named,
    { ...named, name: 'Shop › menu', step: 'menu' },
  ];
  const root = await one(renderAuditJunit(auditReport(auditOf(targets), [])));
  expect(root.children.map(({ attributes }) => attributes.name)).toEqual([
    'quiesce audit ./dist',
    'quiesce audit ./dist › menu',
    'quiesce audit Shop',
    'quiesce audit Shop › menu',
  ]);
});

describe('a comparison', () => {
  test.each([
    ['slower', { dropped: 1 }, ['passed', 'failure slower', 'passed']],
    ['faster', { outcome: 'faster' }, ['passed', 'passed', 'passed']],
    ['the same', { outcome: 'same' }, ['passed', 'passed', 'passed']],
    ['undecided', { outcome: 'unsure', blocks: 2 }, ['passed', 'skipped unsure', 'skipped unsure']],
    ['not valid', { outcome: 'invalid' }, ['error comparison-invalid', 'skipped invalid', 'skipped invalid']],
    ['of nothing', { empty: true }, ['error max-pairs']],
  ] as const)('%s', async (_, options, expected) => {
    const root = await one(renderComparisonJunit(comparisonReport(options)));
    expectJunit(root);
    const names = ['comparison is valid', 'Page complete', 'Largest contentful paint'];
    expect(endings(root)).toEqual(expected.map((ending, i) => `${names[i]}: ${ending}`));
  });

  test.each([
    ['the machine was not fit, and there is a decision', { host: 'unfit' }, 'passed'],
    ['the machine was not fit, and there is none', { host: 'unfit', decision: 'unsure' }, 'error host-unfit'],
    ['too many loads failed', { stoppedBecause: 'too-many-failures' }, 'error too-many-failures'],
    ['the user ended it', { stoppedBecause: 'interrupted' }, 'passed'],
  ] as const)(
    'when %s',
    async (_, {
      host,
      decision,
      stoppedBecause,
    }: { host?: 'unfit'; decision?: 'unsure'; stoppedBecause?: 'interrupted' | 'too-many-failures' }, ending) => {
      const report = comparisonReport();
      const { result } = report;
      const root = await one(
        renderComparisonJunit({
          ...report,
          result: {
            ...result,
            ...(host && { host: { ...result.host, verdict: host } }),
            ...(decision && { decision }),
            ...(stoppedBecause && { design: { ...result.design, stoppedBecause } }),
          },
        }),
      );
      expect(endings(root)[0]).toBe(`comparison is valid: ${ending}`);
    },
  );

  test('can be repeated from its properties, and shows the interval', async () => {
    const root = await one(renderComparisonJunit(comparisonReport({ dropped: 1 })));
    const properties = root.children[0]?.children[0]?.children.map(({ attributes: { name, value } }) => [name, value]);
    expect(Object.fromEntries(properties ?? [])).toMatchObject({ seed: '4711', pairs: '24', decision: 'slower' });
    expect(textOf(root, 'Page complete', 'system-out')).toMatch(/interval \+\d.* to \+.* \(97\.5%\)/);
    expect(textOf(root, 'Page complete', 'failure')).toMatch(/^Page complete is .* slower/);
    expect(textOf(root, 'comparison is valid', 'system-err')).toContain('The candidate failed in 2 of 28 loads');
  });
});

function budget(state: BudgetState, severity: BudgetResult['severity'] = 'error', limit = 2000): BudgetResult {
  const known = { metric: 'pageComplete', title: 'Page complete', unit: 'ms', bound: 'max' } as const;
  return { ...known, limit, severity, state, sentence: `Page complete 2.10 s: ${state}.` };
}

describe('budgets', () => {
  const [target] = exampleReport().targets;
  const page = (...budgets: readonly BudgetResult[]): AuditReport => {
    if (target === undefined) throw new Error('the example has a target');
    return { ...exampleReport(), targets: [{ ...target, result: { ...target.result, budgets } }] };
  };

  test.each([
    [budget('pass'), 'passed'],
    [budget('fail'), 'failure budget'],
    [budget('fail', 'warn'), 'skipped budget-warning'],
    [budget('undecided'), 'skipped budget-undecided'],
    [budget('unknown'), 'skipped budget-unknown'],
  ])('of an audit: %j', async (each, ending) => {
    const root = await one(renderAuditJunit(page(each)));
    expectJunit(root);
    expect(endings(root)).toEqual([
      'page complete: passed',
      'runs agree: passed',
      `budget: Page complete at most 2.00 s: ${ending}`,
    ]);
    expect(textOf(root, 'budget: Page complete at most 2.00 s', 'system-out')).toBe(each.sentence);
    // The page took its time once.
    expect(root.attributes.time).toBe('1.243');
  });

  test('of the same metric can be told apart', async () => {
    const root = await one(renderAuditJunit(page(budget('pass'), budget('pass', 'warn', 1000), budget('pass'))));
    expectJunit(root);
    expect(endings(root).slice(2)).toEqual([
      'budget: Page complete at most 2.00 s: passed',
      'budget: Page complete at most 1.00 s: passed',
      'budget: Page complete at most 2.00 s (2): passed',
    ]);
  });

  test('of a comparison are those of the candidate', async () => {
    const report = comparisonReport({ outcome: 'same' });
    const candidate = { ...report.result.candidate, budgets: [budget('fail')] };
    const root = await one(renderComparisonJunit({ ...report, result: { ...report.result, candidate } }));
    expectJunit(root);
    expect(endings(root).at(-1)).toBe('budget: Page complete at most 2.00 s: failure budget');
  });
});

test('the share of a shard decides nothing', async () => {
  const report = comparisonReport();
  const candidate = { ...report.result.candidate, budgets: [budget('fail')] };
  const shard = { index: 2, of: 4, work: 'w', total: 20 };
  const root = await one(renderComparisonJunit({ ...report, result: { ...report.result, candidate, shard } }));
  expectJunit(root);
  expect(endings(root)).toEqual([
    'comparison is valid: passed',
    'Page complete: skipped shard',
    'Largest contentful paint: skipped shard',
    'budget: Page complete at most 2.00 s: skipped shard',
  ]);
});

describe('foreign text', () => {
  const shape = (node: Node): unknown => [node.name, Object.keys(node.attributes), node.children.map(shape)];

  test('is text, whatever XML would make of it', async () => {
    const roots = await parse(
      ['harmless', ...TRICKS.filter((trick) => trick !== '')].flatMap((trick) => [
        renderAuditJunit(withForeignText(exampleReport(), trick)),
        renderAuditJunit(withForeignText(failedReport(), trick)),
        renderComparisonJunit(withForeignText(comparisonReport({ dropped: 1, different: true }), trick)),
      ]),
    );
    for (const [i, root] of roots.entries()) {
      expectJunit(root);
      expect(shape(root)).toEqual(shape(roots[i % 3] as Node));
    }
  });

  test('can be any string at all', async () => {
    const documents = fc
      .sample(anyLetters({ minLength: 1, maxLength: 60 }), { numRuns: 300, seed: 7 })
      .map((text) => renderAuditJunit(withForeignText(failedReport(), text)));
    for (const root of await parse(documents)) expectJunit(root);
  });

  test('is as long as somebody reads', () => {
    const long = withForeignText(exampleReport(), 'x'.repeat(100_000));
    expect(renderAuditJunit(long).length).toBeLessThan(100_000);
  });
});
