import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AUDIT_DEFAULTS, analyze, audit, compare, judgeHar, QuiesceError, report } from '../../src/index.ts';
import { folderForEach } from '../support/folders.ts';
import { audit as auditIn } from '../support/jobs.ts';
import { answeringLab, ORIGIN, page, recordingOf } from '../support/scripted.ts';

const HAR = 'fixtures/hars/quiesce.har';
const started = process.cwd();
const folder = folderForEach('library');
afterEach(async () => {
  vi.unstubAllEnvs();
  process.chdir(started);
});

describe('format: []', () => {
  it('writes nothing and makes no folder, of an audit', async () => {
    process.chdir(folder());
    await mkdir(path.join(folder(), 'tmp'));
    vi.stubEnv('TMPDIR', path.join(folder(), 'tmp'));
    const openLab = answeringLab(() => ({ ok: true, recording: recordingOf({ requests: page(), until: 5_000 }) }));
    const outcome = await auditIn({ targets: [ORIGIN], runs: 2, format: [] }, { openLab });
    expect(outcome).toMatchObject({ exit: 0, files: [], problems: [] });
    expect(outcome.result.targets[0]?.summary.pageComplete?.n).toBe(2);
    expect(await readdir(folder(), { recursive: true })).toEqual(['tmp']);
  });

  it('writes nothing and makes no folder, of an analysis', async () => {
    const out = path.join(folder(), 'out');
    const { result, files } = await analyze(HAR, { format: [], out });
    expect(result.targets).toHaveLength(1);
    expect(files).toEqual([]);
    expect(await readdir(folder())).toEqual([]);
  });
});

describe('a HAR in memory', () => {
  it('is judged as an analysis judges it, from text or object', async () => {
    const text = await readFile(HAR, 'utf8');
    const [judged] = judgeHar(text).pages;
    expect(judgeHar(JSON.parse(text)).pages).toEqual([judged]);
    const { result } = await analyze(HAR, { format: [] });
    const [run] = result.targets[0]?.runs ?? [];
    expect(judged?.pageComplete).toEqual(run?.pageComplete);
    expect(judged?.background).toEqual(run?.background);
    expect(judged?.metrics).toEqual(run?.metrics);
    expect(judgeHar(text, { quietWindow: 500 }).pages[0]?.policy).toMatchObject({ quietWindow: 500 });
  });

  it('that is no JSON is refused with its place', () => {
    expect(() => judgeHar('{"log": nope}')).toThrow(/line 1, column 9/);
  });
});

describe('what cannot be', () => {
  it.each([
    [() => audit({}), 'target-missing'],
    [() => audit('http://x/', { runs: 0 }), 'options-invalid'],
    [() => report({} as never), 'options-invalid'],
    [() => compare('http://x/', 'http://x/'), 'builds-same'],
    [() => compare({ baseRef: 'main' }), 'build-incomplete'],
    [() => analyze([]), 'har-missing'],
  ])('rejects with a QuiesceError: %s', async (call, code) => {
    const error: unknown = await call().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(QuiesceError);
    expect(error).toMatchObject({ code, exit: 2 });
  });
});

it('says what it does by default', () => {
  expect(AUDIT_DEFAULTS).toMatchObject({
    runs: 5,
    quietWindow: 3000,
    network: 'none',
    format: ['html', 'json', 'har'],
  });
});
