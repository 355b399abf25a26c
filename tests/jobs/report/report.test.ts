import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LighthouseResult } from '../../../src/model/lighthouse/lighthouse.ts';
import type { AuditReport, CompareReport } from '../../../src/model/result/report.ts';
import type { AuditResult, TargetResult } from '../../../src/model/result/result.ts';
import { completionText } from '../../../src/wording/completion/completion.ts';
import { comparisonReport } from '../../reporters/comparison.ts';
import { unpacked } from '../../reporters/markup.ts';
import { folderForEach } from '../../support/folders.ts';
import { analyze, type ReportOptions, report } from '../../support/jobs.ts';
import { mainThreadOf } from '../../support/traced.ts';

const EXAMPLE = path.resolve('reports/example');
const HARS = path.resolve('fixtures/hars');
const LIGHTHOUSE: LighthouseResult = {
  waited: { strategy: 'own', blocked: [], sentence: 'Lighthouse waited by its own rule.' },
  runs: [],
  categories: {},
  metrics: {},
  opportunities: [],
};

const folder = folderForEach('again');

const settings = (over: Partial<ReportOptions> = {}): ReportOptions => ({
  result: folder(),
  format: ['html'],
  ...over,
});
const audited = async (over: Partial<ReportOptions> = {}) => {
  const outcome = await report(settings(over));
  return { ...outcome, report: outcome.report as AuditReport };
};
const stored = async (file = path.join(folder(), 'result.json')) =>
  JSON.parse(await readFile(file, 'utf8')) as AuditResult;
const store = (result: unknown) => writeFile(path.join(folder(), 'result.json'), JSON.stringify(result));

describe('an audit', () => {
  beforeEach(() => cp(EXAMPLE, folder(), { recursive: true }));

  it('has no secrets of the page, also when its HARs were to keep theirs', async () => {
    const before = await stored();
    const [target] = before.targets;
    const har = path.join(folder(), 'run-1.har');
    const loaded = JSON.parse(await readFile(har, 'utf8'));
    for (const { request } of loaded.log.entries)
      request.url += `${request.url.includes('?') ? '&' : '?'}token=s3cret-value`;
    await writeFile(har, JSON.stringify(loaded));
    const url = `${target?.url}?token=s3cret-value`;
    await store({ ...before, settings: { ...before.settings, harSecrets: true }, targets: [{ ...target, url }] });
    const { files } = await audited({
      format: ['html', 'json', 'junit', 'md', 'csv'],
      out: path.join(folder(), 'again'),
    });
    for (const file of files.filter((name) => /\.(?:html|json|xml|md|csv)$/.test(name))) {
      expect(await unpacked(await readFile(file, 'utf8')), file).not.toContain('s3cret-value');
    }
  });

  it('has the figures that were stored, the waterfalls of its HARs, and its pictures', async () => {
    const before = await readFile(path.join(folder(), 'result.json'), 'utf8');
    await rm(path.join(folder(), 'index.html'));
    const { report: again, warnings, exit, files } = await audited();
    expect([warnings, exit]).toEqual([[], 0]);
    expect(files).toEqual([path.join(folder(), 'index.html')]);
    const [target] = again.targets;
    // What results of earlier versions lack is said of them too.
    const answer = { sentence: target && completionText(target), verdict: 'good' };
    const { targets, ...stored } = JSON.parse(before);
    expect(again.result).toEqual({ ...stored, ...answer, targets: [{ ...targets[0], ...answer }] });
    expect(target?.waterfalls.map(({ run }) => run).toSorted()).toEqual([1, 2, 3, 4, 5]);
    const [first] = target?.waterfalls ?? [];
    const complete = first?.milestones.find(({ name }) => name === 'page-complete')?.at;
    expect(complete).toBeCloseTo(target?.representative?.pageComplete?.at ?? Number.NaN, 0);
    // What had been proved to be background is background in the drawing.
    const flagged = new Set(first?.rows.flatMap(({ background }) => background?.kind ?? []));
    expect(flagged).toEqual(new Set(target?.representative?.background?.map(({ kind }) => kind)));
    const evidence = target?.result.evidence;
    expect(Object.keys(target?.pictures ?? {})).toEqual(
      expect.arrayContaining(evidence?.pictures.map(({ file }) => file) ?? ['none']),
    );
    expect(await readFile(path.join(folder(), 'result.json'), 'utf8')).toBe(before);
  });

  it('goes without what is missing, and says so', async () => {
    await rm(path.join(folder(), 'run-2.har'));
    await writeFile(path.join(folder(), 'run-3.har'), '{"log": {');
    await rm(path.join(folder(), 'evidence'), { recursive: true });
    await mkdir(path.join(folder(), 'evidence'));
    const [picture = ''] = (await stored()).targets[0]?.evidence?.pictures.map(({ file }) => file) ?? [];
    await writeFile(path.join(folder(), picture), 'no picture');
    const { report: again, warnings } = await audited();
    expect(again.targets[0]?.waterfalls.map(({ run }) => run).toSorted()).toEqual([1, 4, 5]);
    expect(again.targets[0]?.pictures).toEqual({});
    expect(warnings).toEqual([
      expect.stringMatching(/^run-2\.har and 1 more of .* cannot be read: their waterfalls are left out\.$/),
      expect.stringMatching(/^evidence\/\S+ and \d+ more cannot be read: they are left out\.$/),
    ]);
    for (let run = 1; run <= 5; run += 1) await rm(path.join(folder(), `run-${run}.har`), { force: true });
    const bare = await audited();
    expect(bare.report.targets[0]?.waterfalls).toEqual([]);
    expect(bare.warnings[0]).toMatch(/^run-1\.har and 4 more of/);
  });

  it('takes the trace along to another folder, and links to it', async () => {
    const out = path.join(folder(), 'copy');
    const mainThread = mainThreadOf('trace.json.gz');
    const result = await stored();
    await store({ ...result, targets: result.targets.map((target) => ({ ...target, mainThread })) });
    await writeFile(path.join(folder(), 'trace.json.gz'), 'a trace');
    const { warnings } = await audited({ result: path.join(folder(), 'result.json'), out });
    expect(warnings).toEqual([]);
    expect(await readFile(path.join(out, 'trace.json.gz'), 'utf8')).toBe('a trace');
    expect((await stored(path.join(out, 'result.json'))).targets[0]?.mainThread).toEqual(mainThread);
    expect(await readFile(path.join(out, 'index.html'), 'utf8')).toContain('href="trace.json.gz"');
  });

  it('takes what the page links to along to another folder', async () => {
    const out = path.join(folder(), 'copy');
    const result = await stored();
    const lighthouse = { ...LIGHTHOUSE, report: 'lighthouse.html' };
    await store({ ...result, targets: result.targets.map((target) => ({ ...target, lighthouse })) });
    await writeFile(path.join(folder(), 'lighthouse.html'), 'its report');
    const { files } = await audited({ result: path.join(folder(), 'result.json'), out });
    expect(files.map((file) => path.basename(file))).toEqual(['index.html', 'result.json']);
    const names = await readdir(out, { recursive: true });
    expect(names).toEqual(expect.arrayContaining(['run-1.har', 'run-0.har', 'lighthouse.html']));
    expect(names.filter((name) => /^evidence.\w/.test(name)).length).toBeGreaterThan(2);
  });

  it('writes every form that is asked for', async () => {
    const { files } = await audited({ format: ['md', 'junit', 'csv', 'json'] });
    expect(files.map((file) => path.basename(file)).toSorted()).toEqual([
      'junit.xml',
      'result.csv',
      'result.json',
      'summary.md',
    ]);
  });

  it('opens no file that a result could not have named', async () => {
    const secret = path.join(folder(), '..', `${path.basename(folder())}-secret.har`);
    await cp(path.join(folder(), 'run-1.har'), secret);
    try {
      const result = await stored();
      const names = [`../${path.basename(secret)}`, secret, 'evidence/../../x.har', '\\\\host\\share.har', '..', ''];
      const [target] = result.targets;
      if (!target) throw new Error('there is one');
      const runs = target.runs.map((run, i) => ({ ...run, har: names[i % names.length] ?? '' }));
      const evidence = target.evidence && {
        ...target.evidence,
        pictures: target.evidence.pictures.map((each) => ({ ...each, file: `../${path.basename(secret)}` })),
        film: [],
      };
      await store({ ...result, targets: [{ ...target, runs, ...(evidence && { evidence }) }] });
      const { report: again } = await audited();
      expect(again.targets[0]?.waterfalls).toEqual([]);
      expect(Object.keys(again.targets[0]?.pictures ?? {}).filter((file) => file.includes('secret'))).toEqual([]);
    } finally {
      await rm(secret);
    }
  });

  it('copies no file under the name of another kind: reports stay as they were written', async () => {
    const result = await stored();
    const [target] = result.targets;
    if (!target?.evidence) throw new Error('there is one');
    for (const name of ['index.html', 'result.json', 'pages/a.html']) {
      const runs = target.runs.map((run) => ({ ...run, har: name }));
      const pictures = target.evidence.pictures.map((each) => ({ ...each, file: name }));
      const evidence = { ...target.evidence, pictures };
      const hostile = {
        ...target,
        runs,
        evidence,
        lighthouse: { ...LIGHTHOUSE, report: name },
        mainThread: mainThreadOf(name),
      };
      await store({ ...result, targets: [hostile] });
      await mkdir(path.join(folder(), 'pages'), { recursive: true });
      for (const file of ['index.html', 'pages/a.html']) await writeFile(path.join(folder(), file), 'of a stranger');
      const out = path.join(folder(), `copy-of-${path.basename(name)}`);
      await audited({ result: path.join(folder(), 'result.json'), out });
      expect(await readFile(path.join(out, 'index.html'), 'utf8')).toMatch(/^<!doctype html>/i);
      expect((await stored(path.join(out, 'result.json'))).tool).toEqual(result.tool);
      expect(await readdir(out)).not.toContain('pages');
    }
  });

  it.each(['its files', 'the folder of its pictures'])('follows no link: %s', async (linked) => {
    const elsewhere = await mkdtemp(path.join(os.tmpdir(), 'quiesce-private-'));
    try {
      const result = await stored();
      const mainThread = mainThreadOf('trace.json.gz');
      const lighthouse = { ...LIGHTHOUSE, report: 'lighthouse.html' };
      await store({ ...result, targets: result.targets.map((target) => ({ ...target, mainThread, lighthouse })) });
      for (const file of ['trace.json.gz', 'lighthouse.html']) await writeFile(path.join(folder(), file), 'private');
      const inEvidence = (await readdir(path.join(folder(), 'evidence'))).map((file) => path.join('evidence', file));
      const hars = (await readdir(folder())).filter((file) => file.endsWith('.har'));
      const names =
        linked === 'its files' ? [...hars, ...inEvidence, 'trace.json.gz', 'lighthouse.html'] : ['evidence'];
      for (const [i, name] of names.entries()) {
        await rename(path.join(folder(), name), path.join(elsewhere, `${i}`));
        await symlink(path.join(elsewhere, `${i}`), path.join(folder(), name));
      }
      const out = path.join(folder(), 'copy');
      const { report: again, warnings } = await audited({ result: path.join(folder(), 'result.json'), out });
      expect(again.targets[0]?.pictures).toEqual({});
      const copied = (await readdir(out, { recursive: true })).filter((file) =>
        names.some((name) => file.startsWith(name)),
      );
      expect(copied).toEqual([]);
      expect(warnings).toContainEqual(expect.stringMatching(/^evidence\/\S+ and \d+ more cannot be read/));
      if (linked !== 'its files') return;
      expect(again.targets[0]?.waterfalls).toEqual([]);
      expect(warnings).toContainEqual(expect.stringMatching(/^run-\d\.har and \d+ more of .* cannot be read/));
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  it('is not read through a link in its folder, and not written through one', async () => {
    const result = path.join(folder(), 'result.json');
    const pages = path.join(folder(), 'private');
    await mkdir(pages);
    await rename(result, path.join(pages, 'result.json'));
    await symlink(path.join(pages, 'result.json'), result);
    await expect(audited()).rejects.toMatchObject({ code: 'result-unreadable', message: /it is a symbolic link/ });
    // The user may name a link.
    expect((await audited({ result, out: path.join(folder(), 'copy') })).exit).toBe(0);
    await rm(result);
    const whole = await stored(path.join(pages, 'result.json'));
    const [target] = whole.targets;
    if (!target) throw new Error('there is one');
    const {
      evidence: _,
      runs: [run],
      ...bare
    } = target;
    const many = Array.from({ length: 51 }, (_, i) => ({ ...bare, target: `https://shop.example/${i}`, runs: [run] }));
    await store({ ...whole, targets: many });
    await rm(path.join(pages, 'result.json'));
    await symlink(pages, path.join(folder(), 'pages'));
    await expect(audited()).rejects.toMatchObject({
      code: 'write-failed',
      message: /a folder in its path is a symbolic link/,
    });
    expect(await readdir(pages)).toEqual([]);
  });

  it('shows hostile text as text', async () => {
    const result = await stored();
    const attack = '</script><script>alert(1)</script><img src=x onerror=alert(1)>\u202e';
    const taint = (value: unknown, key = ''): unknown => {
      if (typeof value === 'string') {
        return /^(kind|role|state|type|view|verdict|decidedBy|counts|what|unit|agreement|visualImpact|confidence|startedAt|name|\$schema|countedState|code|file|har|with|without|difference|party|category|cause|doubt|who|device|network|moment)$/.test(
          key,
        )
          ? value
          : attack;
      }
      if (Array.isArray(value)) return value.map((each) => taint(each, key));
      if (typeof value === 'object' && value !== null) {
        return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, taint(each, name)]));
      }
      return value;
    };
    await store({ ...(taint(result) as object), tool: result.tool });
    const { files } = await audited();
    const html = await readFile(files[0] ?? '', 'utf8');
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img src=x');
    expect(html.match(/<script/g)?.length).toBe(html.match(/<\/script>/g)?.length);
  });
});

describe('an analysis', () => {
  it('has the waterfall of every page of its files, wherever they lie, and links there from another folder', async () => {
    const files = [path.join(HARS, 'browsertime.har.gz'), path.join(HARS, 'playwright.har')];
    const before = await analyze({ files, out: path.join(folder(), 'first'), format: ['html', 'json'] });
    const again = await audited({ result: path.join(folder(), 'first'), out: path.join(folder(), 'deep', 'second') });
    expect(again.warnings).toEqual([]);
    const shape = ({ targets }: AuditReport) =>
      targets.map(({ waterfalls }) => waterfalls.map(({ run, rows }) => [run, rows.length]));
    expect(shape(again.report)).toEqual(shape(before.report));
    const har = again.report.result.targets[0]?.runs[0]?.har ?? '';
    expect(path.resolve(folder(), 'deep', 'second', decodeURIComponent(har))).toBe(files[0]);
  });

  it('reads no other file elsewhere than those that were analyzed', async () => {
    const [own, secret] = ['own', 'private'].map((name) => path.join(folder(), name, `${name}.har`)) as [
      string,
      string,
    ];
    for (const file of [own, secret]) await mkdir(path.dirname(file));
    await cp(path.join(HARS, 'playwright.har'), own);
    await cp(path.join(HARS, 'playwright-minimal.har'), secret);
    const result = path.join(folder(), 'results', 'result.json');
    await analyze({ files: [own], out: path.dirname(result), format: ['json'] });
    const whole = await stored(result);
    const shown = async (change: object) => {
      const targets = whole.targets.map((target) => ({
        ...target,
        runs: target.runs.map((run) => ({ ...run, ...change })),
      }));
      await writeFile(result, JSON.stringify({ ...whole, targets }));
      const { report: again, warnings } = await audited({ result });
      return [again.targets.flatMap(({ waterfalls }) => waterfalls).length, warnings];
    };
    expect(await shown({})).toEqual([1, []]);
    const gone = [expect.stringMatching(/^\.\.\/private\/private\.har.* cannot be read: its waterfall is left out/)];
    for (const harHash of [undefined, '', whole.targets[0]?.runs[0]?.harHash]) {
      expect(await shown({ har: '../private/private.har', harHash })).toEqual([0, gone]);
    }
    // Nor what the file has become since.
    await cp(secret, own);
    expect(await shown({})).toEqual([0, [expect.stringMatching(/^\.\.\/own\/own\.har/)]]);
    // What is beside the result came with it.
    await cp(secret, path.join(path.dirname(result), 'beside.har'));
    expect(await shown({ har: 'beside.har' })).toEqual([1, []]);
  });
});

describe('a comparison', () => {
  it('has both builds, and says that no HAR was kept', async () => {
    const { result } = comparisonReport();
    const bare = (target: TargetResult): TargetResult => ({
      ...target,
      runs: target.runs.map(({ har: _, ...run }) => run),
    });
    await store({ ...result, base: bare(result.base), candidate: bare(result.candidate) });
    const outcome = await report(settings({ format: ['html', 'md'] }));
    const again = outcome.report as CompareReport;
    expect(again.base.result.target).toBe(result.base.target);
    expect(outcome.warnings.filter((line) => /no HAR was kept/.test(line))).toHaveLength(2);
    expect(await readFile(path.join(folder(), 'index.html'), 'utf8')).toContain('The candidate');
  });
});

describe('what is no result', () => {
  it.each<[string, string, RegExp]>([
    ['nothing', '', /is not JSON/],
    ['half a file', '{"version": 1, "kind"', /is not JSON/],
    ['another tool', '{"version": 1, "kind": "audit", "tool": {"name": "other"}}', /is not a result of Quiesce/],
    ['a list', '[]', /is not a result of Quiesce/],
    ['a later version', '{"version": 9, "kind": "audit", "tool": {"name": "quiesce"}}', /in version 9, which/],
    ['another kind', '{"version": 1, "kind": "doctor", "tool": {"name": "quiesce"}}', /its kind is "doctor"/],
    ['parts of one', '{"version": 1, "kind": "audit", "tool": {"name": "quiesce"}}', /is not as Quiesce wrote it/],
  ])('%s is one line', async (_, text, line) => {
    await writeFile(path.join(folder(), 'result.json'), text);
    const told = await report(settings()).then(
      () => 'no error',
      (error: Error) => error.message,
    );
    expect(told).toMatch(line);
    expect(told).not.toMatch(/\n/);
    expect(await readdir(folder())).toEqual(['result.json']);
  });

  it('says which value is of another type', async () => {
    const result = await stored(path.join(EXAMPLE, 'result.json'));
    await store({ ...result, targets: [{ ...result.targets[0], runs: [{ index: 1, role: 'timed', ok: 'yes' }] }] });
    await expect(report(settings())).rejects.toThrow(/targets\.0\.runs\.0\.ok/);
  });

  it('a file that is not there', async () => {
    await expect(report(settings({ result: path.join(folder(), 'none') }))).rejects.toThrow(/there is no such file/);
  });
});
