import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { audit as auditJob } from '../../../src/jobs/audit/audit.ts';
import type { LoadOutcome } from '../../../src/model/recording/lab.ts';
import type { LoadFault } from '../../../src/model/result/failure.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import type { AuditResult } from '../../../src/model/result/result.ts';
import { encodePng } from '../../../src/shell/disk/pictures.ts';
import { failure } from '../../../src/wording/result/failure.ts';
import { unpacked } from '../../reporters/markup.ts';
import { folderForEach } from '../../support/folders.ts';
import { type AuditOptions, audit, resolvedAudit } from '../../support/jobs.ts';
import { messagesOf } from '../../support/problems.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted, scriptedLab } from '../../support/scripted.ts';
import { COMMON } from '../../support/settings.ts';

const out = folderForEach('test');

const settings = (more: Partial<AuditOptions> = {}): AuditOptions => ({
  ...COMMON,
  targets: [`${ORIGIN}/`],
  out: out(),
  runs: 2,
  ...more,
});

const good = (end = 400): LoadOutcome => ({
  ok: true,
  recording: recordingOf({ requests: page({ path: '/api?token=s3cret-value', from: 100, to: end }), until: 9_000 }),
});
const bad = (code: LoadFault['code'] | 'browser-died'): LoadOutcome => ({
  ok: false,
  failure: failure(code, { url: `${ORIGIN}/`, detail: 'cut' }),
});

/** Runs an audit over prepared loads. */
async function run(
  outcomes: readonly (LoadOutcome | Error)[],
  more: Partial<AuditOptions> = {},
  signal?: AbortSignal,
  onProgress: (event: Progress) => void = () => undefined,
) {
  const events: Progress[] = [];
  const labs: ReturnType<typeof scriptedLab>[] = [];
  const queue = [...outcomes];
  const outcome = await audit(settings(more), {
    ...(signal && { signal }),
    onProgress: (event) => {
      events.push(event);
      onProgress(event);
    },
    openLab: async () => {
      // A lab that died is replaced by one that goes on with what is left.
      const lab = scriptedLab(queue);
      const record = lab.record.bind(lab);
      labs.push(lab);
      return { ...lab, record: (request, abort) => record(request, abort).finally(() => queue.shift()) };
    },
  });
  return {
    outcome,
    events,
    labs,
    stored: async () => JSON.parse(await readFile(path.join(out(), 'result.json'), 'utf8')) as AuditResult,
  };
}

describe('a broken page', () => {
  it.each([
    [{}, 1],
    [{ failOn: 'budget' as const }, 1],
    [{ allowBroken: true }, 0],
    [{ failOn: 'never' as const }, 0],
  ])('with %j ends with %d, and is called broken all the same', async (more, exit) => {
    const loaded: LoadOutcome = {
      ok: true,
      recording: recordingOf({ requests: page({ path: '/api', from: 100, to: 400, status: 500 }), until: 9_000 }),
    };
    const { outcome, stored } = await run([loaded, loaded, loaded], more);
    expect(outcome.exit).toBe(exit);
    expect(messagesOf(outcome.problems)).toEqual(exit === 0 ? [] : [expect.stringMatching(/^Page broken: /)]);
    expect((await stored()).verdict).toBe('broken');
  });
});

describe('audit', () => {
  it('discards the first load, times the others and writes everything', async () => {
    const { outcome, events, stored } = await run([good(2_000), good(400), good(500)]);
    expect(outcome.exit).toBe(0);
    expect(outcome.problems).toEqual([]);
    const [target] = (await stored()).targets;
    expect(target?.runs.map(({ role, ok, har }) => [role, ok, har])).toEqual([
      ['discarded', true, 'run-0.har'],
      ['timed', true, 'run-1.har'],
      ['timed', true, 'run-2.har'],
    ]);
    expect(target?.summary.pageComplete).toMatchObject({ n: 2, median: 450, low: 400, high: 500 });
    expect(target?.policy).toMatchObject(POLICY);
    expect((await readdir(out())).sort()).toEqual(['index.html', 'result.json', 'run-0.har', 'run-1.har', 'run-2.har']);
    expect(events.filter((event) => event.kind === 'run-finished')).toHaveLength(3);
    expect(outcome.files.map((file) => path.basename(file)).sort()).toEqual((await readdir(out())).sort());
  });

  it('refuses a folder to which another audit is writing, and leaves its files alone', async () => {
    const second = Promise.withResolvers<unknown>();
    const { outcome, stored } = await run([good(), good(400), good(500)], {}, undefined, (event) => {
      if (event.kind !== 'run-finished' || event.run.index !== 1) return;
      second.resolve(audit(settings(), { openLab: async () => scriptedLab([]) }).catch((error: unknown) => error));
    });
    expect(await second.promise).toMatchObject({ code: 'out-in-use' });
    expect(outcome.exit).toBe(0);
    expect((await stored()).targets[0]?.summary.pageComplete).toMatchObject({ n: 2, median: 450 });
    expect((await readdir(out())).sort()).toEqual(['index.html', 'result.json', 'run-0.har', 'run-1.har', 'run-2.har']);
  });

  it('tells of a run only when its HAR has been checked', async () => {
    const { recording } = good();
    if (!recording) throw new Error('a good load has a recording');
    const lost: LoadOutcome = { ok: true, recording: { ...recording, announcedHops: recording.announcedHops + 1 } };
    const { outcome, events } = await run([good(), lost, good()]);
    const told = events.flatMap((event) => (event.kind === 'run-finished' ? event.run : []));
    expect(told.map(({ ok, har }) => [ok, har])).toEqual([
      [true, 'run-0.har'],
      [false, 'run-1.har'],
      [true, 'run-2.har'],
    ]);
    expect(outcome.exit).toBe(3);
  });

  it('keeps secrets out of every file, unless asked', async () => {
    await run([good(), good(), good()]);
    for (const name of await readdir(out()))
      expect(await readFile(path.join(out(), name), 'utf8')).not.toContain('s3cret');
    const { outcome } = await run([good(), good(), good()], {
      harSecrets: true,
      format: ['html', 'json', 'har', 'junit', 'md', 'csv'],
      targets: [`${ORIGIN}/?token=s3cret-value`],
    });
    for (const name of await readdir(out())) {
      const text = await readFile(path.join(out(), name), 'utf8');
      if (name.endsWith('.har')) expect(text).toContain('s3cret');
      else expect(name.endsWith('.html') ? await unpacked(text) : text, name).not.toContain('s3cret');
    }
    expect(JSON.stringify(outcome)).not.toContain('s3cret');
  });

  it('removes the login of an address from everything, also where HARs keep their secrets', async () => {
    const address = `${ORIGIN.replace('//', '//ann:hunter2222@')}/`;
    const requests = page({ path: '/api?q=hunter2222&echo=YW5uOmh1bnRlcjIyMjI', from: 100, to: 400 });
    const echo: LoadOutcome = { ok: true, recording: recordingOf({ requests, until: 9_000 }) };
    const { outcome, events } = await run([echo, echo, echo], { harSecrets: true, targets: [address] });
    expect(outcome.exit).toBe(0);
    const texts = await Promise.all((await readdir(out())).map((name) => readFile(path.join(out(), name), 'utf8')));
    for (const text of [...texts, JSON.stringify([outcome, events])]) expect(text).not.toMatch(/hunter2222|YW5uOmh1/);
  });

  it('gives up a target whose first load fails, with its line and exit 3', async () => {
    const { outcome, labs, stored } = await run([bad('host-not-found'), good()]);
    expect(outcome.exit).toBe(3);
    expect(messagesOf(outcome.problems)).toEqual([expect.stringContaining('No such host')]);
    expect(labs[0]?.loads).toHaveLength(1);
    expect((await stored()).targets[0]?.runs[0]).toMatchObject({ ok: false, failure: { code: 'host-not-found' } });
  });

  it('goes on after one bad run, and stops after two of the same', async () => {
    const once = await run([good(), bad('truncated'), good(), good()], { runs: 3 });
    expect(once.outcome.exit).toBe(0);
    expect(messagesOf(once.outcome.problems)).toEqual([expect.stringContaining('stopped sending in the middle')]);
    const twice = await run([good(), good(), bad('truncated'), bad('truncated'), good()], { runs: 4 });
    expect(twice.outcome.result.targets[0]?.runs).toHaveLength(4);
  });

  it('repeats a run once in a new browser when the browser dies', async () => {
    const { outcome, labs, events } = await run([good(), bad('browser-died'), good(450), good()]);
    expect(outcome.exit).toBe(0);
    expect(labs).toHaveLength(2);
    expect(outcome.result.targets[0]?.runs[1]).toMatchObject({ ok: true, attempts: 2 });
    expect(events).toContainEqual(expect.objectContaining({ kind: 'run-retried', index: 1 }));
  });

  it('loads once more where the untimed load may have failed by accident, but not what is no accident', async () => {
    const { outcome, events } = await run([bad('truncated'), good(), good(), good()]);
    expect(outcome.exit).toBe(0);
    expect(outcome.result.targets[0]?.runs[0]).toMatchObject({ ok: true, attempts: 2 });
    expect(events).toContainEqual(expect.objectContaining({ kind: 'run-retried', index: 0, role: 'discarded' }));
    const refused = await run([bad('connection-refused'), good()]);
    expect(refused.outcome.result.targets[0]?.runs).toEqual([expect.not.objectContaining({ attempts: 2 })]);
  });

  it('measures the other targets when one fails', async () => {
    const { outcome } = await run([bad('connection-refused'), good(), good(), good()], {
      targets: [`${ORIGIN}/a`, `${ORIGIN}/b`],
    });
    expect(outcome.exit).toBe(3);
    expect(outcome.result.targets.map(({ runs }) => runs.filter((each) => each.ok).length)).toEqual([0, 3]);
    expect((await readdir(out())).filter((name) => name.endsWith('.har'))).toContain('b-run-1.har');
  });

  it('says undecided, exit 4, when a page never was complete', async () => {
    const open: LoadOutcome = {
      ok: true,
      recording: recordingOf({ requests: page({ path: '/slow', from: 100 }), until: 8_000 }),
    };
    const { outcome } = await run([open, open, open], { timeout: 8_000 });
    expect(outcome.exit).toBe(4);
    expect(messagesOf(outcome.problems)).toEqual([
      expect.stringMatching(/not complete within 8 s, before Quiesce knew whether GET .*\/slow continues/),
    ]);
  });

  it('keeps the finished runs when it is interrupted', async () => {
    const abort = new AbortController();
    const { outcome, stored } = await run([good(), good(), good()], { runs: 5 }, abort.signal, ({ kind, ...event }) => {
      if (kind === 'run-started' && 'index' in event && event.index === 2) abort.abort();
    });
    expect(outcome.exit).toBe(130);
    const result = await stored();
    expect(result.interrupted).toBe(true);
    expect(result.targets[0]?.runs.map(({ index }) => index)).toEqual([0, 1]);
  });

  it('makes no folder and no file where no format is wanted, and measures all the same', async () => {
    const nowhere = path.join(out(), 'nowhere');
    const lab = scriptedLab([good(), good(400), good(500)]);
    const resolved = resolvedAudit(settings({ out: nowhere }));
    const outcome = await auditJob({ ...resolved, formats: [] }, { openLab: async () => lab });
    expect(outcome.exit).toBe(0);
    expect(outcome.files).toEqual([]);
    expect(outcome.result.targets[0]?.summary.pageComplete).toMatchObject({ n: 2, median: 450 });
    expect(outcome.report.targets[0]?.waterfalls).toHaveLength(2);
    expect(await readdir(out())).toEqual([]);
  });

  it('does not begin when the folder cannot be written to', async () => {
    const file = path.join(out(), 'file');
    await writeFile(file, '');
    await expect(run([good()], { out: path.join(file, 'below') })).rejects.toMatchObject({
      code: 'out-not-writable',
      exit: 2,
    });
  });

  it('says of a failure what its report says, without the secrets of its address', async () => {
    const secret = failure('truncated', { url: `${ORIGIN}/?token=s3cret-value`, detail: 'cut' });
    const { outcome } = await run([good(), { ok: false, failure: secret }, good()]);
    const shown = outcome.result.targets[0]?.runs.flatMap((each) => each.failure?.message ?? []);
    expect(messagesOf(outcome.problems)).toEqual(shown);
    expect(shown).toEqual([expect.not.stringContaining('s3cret')]);
  });

  it('tells before each load how many are ahead', async () => {
    const { events } = await run([good(), good(), good()], { runs: 2 });
    const ahead = events.flatMap((event) => (event.kind === 'loads-ahead' ? event.loads : []));
    expect(ahead).toEqual([3, 2, 1]);
  });

  it('leaves nothing behind where no load came to anything, unless the folder was named', async () => {
    const failing = { ok: false, failure: { code: 'host-not-found', message: 'No such host.' } } as const;
    const started = process.cwd();
    process.chdir(out());
    try {
      const unnamed = await run([failing, failing], { out: undefined as never });
      expect(unnamed.outcome).toMatchObject({ exit: 3, files: [] });
      expect(unnamed.outcome.problems).toHaveLength(1);
      expect(unnamed.outcome.result.targets[0]?.runs[0]?.failure?.code).toBe('host-not-found');
      expect(await readdir(out())).toEqual([]);
    } finally {
      process.chdir(started);
    }
    const named = await run([failing, failing], { out: path.join(out(), 'named') });
    expect(named.outcome.exit).toBe(3);
    expect(await readdir(path.join(out(), 'named'))).toContain('result.json');
  });

  it('refuses targets that are no pages', async () => {
    const refused = async (target: string) =>
      run([], { targets: [target] }).catch((error: { code: string }) => error.code);
    expect(await refused('nowhere')).toBe('target-not-url');
    expect(await refused('page.har')).toBe('target-har');
    expect(await refused('ftp://x.test/')).toBe('target-scheme');
    expect(await refused('about:blank')).toBe('target-scheme');
    expect(await refused(out())).toBe('folder-without-index');
  });

  it('serves a folder for the time of its audit', async () => {
    await writeFile(path.join(out(), 'index.html'), '<title>x</title>');
    const { labs, events } = await run([good(), good(), good()], {
      targets: [out()],
      out: path.join(out(), 'results'),
    });
    expect(labs[0]?.loads[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'serving', target: out() }));
  });
});

describe('the untimed runs', () => {
  const proving = { evidence: true, ablation: true, runs: 1 };
  const picture = (grey: number): string => {
    const pixels = new Uint8Array(64 * 48 * 4).fill(255);
    // A block that a person would see.
    for (let i = 0; i < 64 * 12 * 4; i += 4) pixels.fill(grey, i, i + 3);
    return encodePng({ width: 64, height: 48, pixels }).toString('base64');
  };
  const stream: Scripted = { path: '/prices', from: 100, type: 'eventsource', messages: [900, 2_900, 4_900, 21_000] };
  const filmed = (grey: number, requests: readonly Scripted[], until = 24_000): LoadOutcome => ({
    ok: true,
    recording: {
      ...recordingOf({ requests: page(...requests), until }),
      frames: [{ at: 70, image: picture(grey) }],
      lastPicture: { at: until, image: picture(grey) },
    },
  });
  const timed = (until = 4_000): LoadOutcome => ({
    ok: true,
    recording: recordingOf({ requests: page(stream), until }),
  });

  it('film the page, hold the suspects back, and teach the timed runs', async () => {
    const { labs, outcome, stored } = await run([filmed(0, [stream]), filmed(0, []), timed()], proving);
    const [target] = (await stored()).targets;
    expect(target?.runs.map(({ index, role, ok }) => [index, role, ok])).toEqual([
      [0, 'evidence', true],
      [1, 'timed', true],
      [2, 'ablation', true],
    ]);
    const requests = labs.flatMap((lab) => lab.requests);
    expect(requests.map(({ film, hold }) => [film, hold])).toEqual([
      [true, undefined],
      [true, [`${ORIGIN}/prices`]],
      [undefined, undefined],
    ]);
    expect(requests[0]?.policy).toMatchObject({ thorough: true });
    expect(requests[2]?.policy.learnt).toMatchObject([{ kind: 'sse', impact: 'none', content: [] }]);
    expect(requests[2]?.policy).not.toHaveProperty('thorough');
    // The page looks the same without it: not even its first message counts.
    expect(target?.runs[1]?.pageComplete).toMatchObject({ state: 'complete', at: 60 });
    expect(target?.background).toMatchObject([{ kind: 'sse', excluded: true, visualImpact: 'none' }]);
    expect(target?.evidence?.ablation).toMatchObject({ held: [`GET ${ORIGIN}/prices`], same: true, difference: 0 });
    // Both look the same: one file, and one picture in the page.
    const { with: whole = '', without } = target?.evidence?.ablation?.pictures ?? {};
    expect(whole).toMatch(/^evidence\/[0-9a-f]{16}\.png$/);
    expect(without).toBe(whole);
    expect(outcome.report.targets[0]?.pictures?.[whole]).toMatch(/^data:image\/png;base64,/);
    expect(await readdir(path.join(out(), 'evidence'))).toEqual([path.basename(whole)]);
  });

  it('count the first message when the page looks different without it', async () => {
    const { stored } = await run([filmed(0, [stream]), filmed(200, []), timed(9_000)], proving);
    const [target] = (await stored()).targets;
    expect(target?.evidence?.ablation?.same).toBe(false);
    const { pictures } = target?.evidence?.ablation ?? {};
    expect(new Set(Object.values(pictures ?? {})).size).toBe(3);
    expect(pictures?.difference).toMatch(/^evidence\/[0-9a-f]{16}\.png$/);
    expect(target?.runs[1]?.pageComplete).toMatchObject({ state: 'complete', at: 900 });
    expect(target?.background).toMatchObject([{ visualImpact: 'first-content' }]);
  });

  it('are one only when there is nothing to hold back, or when told so', async () => {
    const plain = await run([filmed(0, [], 13_000), good()], proving);
    expect(plain.outcome.result.targets[0]?.runs.map(({ role }) => role)).toEqual(['evidence', 'timed']);
    const told = await run([filmed(0, [stream]), timed()], { ...proving, ablation: false });
    expect(told.outcome.result.targets[0]?.runs.map(({ role }) => role)).toEqual(['evidence', 'timed']);
    expect(told.outcome.result.targets[0]?.evidence?.ablation).toBeUndefined();
  });

  it('stand when the user ends the audit between them', async () => {
    const abort = new AbortController();
    const { outcome } = await run([filmed(0, [stream]), filmed(0, [])], proving, abort.signal, (event) => {
      if (event.kind === 'run-finished' && event.run.role === 'evidence') abort.abort();
    });
    expect(outcome.exit).toBe(130);
    expect(outcome.result.targets[0]?.runs.map(({ role }) => role)).toEqual(['evidence']);
    expect(outcome.result.targets[0]?.evidence?.pictures.length).toBeGreaterThan(0);
  });

  it('fail the target when the page cannot be filmed, as any first load does', async () => {
    const { outcome } = await run([bad('host-not-found')], proving);
    expect(outcome.exit).toBe(3);
    expect(outcome.result.targets[0]?.runs).toMatchObject([{ role: 'evidence', ok: false }]);
  });
});
