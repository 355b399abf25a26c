import { describe, expect, it } from 'vitest';
import { DESKTOP } from '../../src/core/conditions/devices.ts';
import { readCommandLine, readOptions } from '../../src/settings/gather.ts';
import { resolveAudit, resolveCompare } from '../../src/settings/resolve.ts';
import { QuiesceError } from '../../src/wording/messages/messages.ts';
import { type AuditOptions, loadOptionsOf, resolvedAudit } from '../support/jobs.ts';

describe('what a load is asked for', () => {
  it('is an ordinary desktop by default', () => {
    const { conditions, access } = loadOptionsOf({});
    expect({ conditions, access }).toEqual({
      conditions: { device: DESKTOP, cpu: 1, view: 'cold' },
      access: { headers: [], cookies: [], block: [], ignoreCertificateErrors: false },
    });
  });

  it('is what the options say', () => {
    const { conditions, access } = loadOptionsOf({
      device: 'iphone 15',
      network: 'slow-4g',
      cpu: 4,
      view: 'warm',
      locale: 'de-de',
      timezone: 'asia/tokyo',
      geolocation: '1,2',
      userAgent: 'x',
      block: ['*/ads/*'],
      header: ['X-A: b'],
      cookie: ['c=d'],
      basicAuth: 'e:f',
      ignoreCertificateErrors: true,
    });
    expect(conditions).toMatchObject({
      device: { name: 'iPhone 15' },
      network: { name: 'slow-4g', latency: 562.5 },
      cpu: 4,
      view: 'warm',
      locale: 'de-DE',
      timezone: 'Asia/Tokyo',
      geolocation: { latitude: 1, longitude: 2 },
      userAgent: 'x',
    });
    expect(access).toEqual({
      headers: [{ name: 'X-A', value: 'b' }],
      cookies: [{ name: 'c', value: 'd' }],
      basicAuth: { user: 'e', password: 'f' },
      block: ['*/ads/*'],
      ignoreCertificateErrors: true,
    });
  });

  it.each<[AuditOptions, RegExp]>([
    [{ device: 'toaster' as never }, /device must be/],
    [{ network: '5g' as never }, /network must be/],
    [{ header: ['X: SECRET\nY: 2'] }, /header\[0\] must (?!.*SECRET)/],
    [{ cookie: ['SECRET'] }, /cookie\[0\] must (?!.*SECRET)/],
    [{ basicAuth: 'SECRET' }, /basicAuth must (?!.*SECRET)/],
    [{ locale: '!' }, /locale must be/],
    [{ timezone: 'Mars' }, /timezone must be/],
    [{ geolocation: 'here' }, /geolocation must be/],
    [{ header: ['Authorization: SECRET'], basicAuth: 'a:SECRET' }, /one Authorization/],
    [{ pages: [{ url: '/', header: ['Authorization: SECRET'] }], basicAuth: 'a:SECRET' }, /one Authorization/],
  ])('refuses %j in one line', (options, line) => {
    const refused = (): unknown => loadOptionsOf(options);
    expect(refused).toThrow(QuiesceError);
    expect(refused).toThrow(line);
  });
});

describe('secrets', () => {
  const options = {
    targets: ['http://x/'],
    runs: 3,
    device: 'phone' as const,
    header: ['X-A: SECRET-1'],
    cookie: ['c=SECRET-3'],
    basicAuth: 'e:SECRET-4',
    pages: [{ url: '/', header: ['X-B: SECRET-5'] }],
    browserWs: 'wss://ann:SECRET-6@fleet.example/?token=SECRET-7',
  };

  it('are stored by their names alone, of every page', () => {
    const { stored } = resolvedAudit(options);
    expect(stored).toMatchObject({
      targets: ['http://x/'],
      runs: 3,
      device: 'phone',
      header: ['X-A: [redacted]'],
      cookie: ['c=[redacted]'],
      basicAuth: '[redacted]',
      browserWs: 'wss://fleet.example/…',
      pages: [{ url: '/', header: ['X-B: [redacted]'], basicAuth: '[redacted]' }],
    });
    expect(JSON.stringify(stored)).not.toContain('SECRET');
    // Nobody could ask a running browser for its sandbox.
    expect(stored).not.toHaveProperty('sandbox');
  });

  it('are known of every page, to one redactor and one eraser', () => {
    const { secrets, redact, erase } = resolvedAudit(options);
    const all = ['SECRET-1', 'SECRET-3', 'SECRET-4', 'SECRET-5', 'SECRET-6', 'SECRET-7'];
    expect(secrets.texts).toEqual(expect.arrayContaining(all));
    expect(secrets.headers).toEqual(['x-a', 'authorization', 'x-b']);
    for (const each of all) {
      expect(redact.text(`It said ${each}.`)).not.toContain(each);
      expect(erase.text(`It said ${each}.`)).not.toContain(each);
    }
    expect(erase.url('https://x/?token=abcdefghijklmnop')).toContain('abcdefghijklmnop');
    expect(redact.url('https://x/?token=abcdefghijklmnop')).not.toContain('abcdefghijklmnop');
    // HARs alone keep what the page itself says.
    expect(
      resolvedAudit({ ...options, harSecrets: true }).redact.url('https://x/?token=abcdefghijklmnop'),
    ).not.toContain('abcdefghijklmnop');
  });
});

describe('a job of continuous integration', () => {
  const commit = 'f'.repeat(40);
  const env = { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2', CI_COMMIT_SHA: commit, CI_COMMIT_REF_NAME: 'main' };

  it('tells a command line its share and its commit', async () => {
    const line = await readCommandLine('audit', ['http://x/'], {}, { env, cwd: '/', isRoot: false });
    expect(resolveAudit(line)).toMatchObject({
      shard: { index: 1, of: 2 },
      shardFrom: 'CI_NODE_INDEX',
      ci: { commit, ref: 'main' },
    });
    const named = { shard: '2/3', commit: 'ABCDEF0123' };
    const other = await readCommandLine('compare', ['a', 'b'], named, { env, cwd: '/', isRoot: false });
    expect(resolveCompare(other)).toMatchObject({ shard: { index: 2, of: 3 }, commit: { commit: 'abcdef0123' } });
  });

  it('tells a library call nothing: it gets all pages, and is of no commit', () => {
    const resolved = resolveAudit(readOptions('audit', ['http://x/'], {}, { env, isRoot: false }));
    expect(resolved).not.toHaveProperty('shard');
    expect(resolved).not.toHaveProperty('ci');
    expect(() => readAuto()).toThrow(/nothing here says which share this is/);
    function readAuto() {
      return resolveAudit(readOptions('audit', ['http://x/'], { shard: 'auto' }, { env, isRoot: false }));
    }
  });
});

describe('a library call', () => {
  const called = (options: object) => readOptions('audit', ['http://x/'], options, { env: {}, isRoot: false });

  it('has the defaults of the command line', async () => {
    const line = await readCommandLine('audit', ['http://x/'], {}, { env: {}, cwd: '/', isRoot: false });
    expect(called({}).values).toEqual(line.values);
    expect(called({}).stored).toEqual(line.stored);
  });

  it.each([
    [{ rnus: 3 }, 'audit(): unknown option "rnus" (did you mean "runs"?).'],
    [{ runs: 0, timeout: 'x' }, /^audit\(\): runs must be a whole number from 1 to 1000, not 0; timeout must/],
    [{ pages: [{ url: '/', out: 'x' }] }, /pages\[0\] has the option "out", which applies to all pages: move it/],
    [{ json: true }, 'audit(): unknown option "json".'],
  ])('refuses %j', (options, message) => {
    expect(() => called(options)).toThrow(message);
    expect(() => called(options)).toThrow(expect.objectContaining({ code: 'options-invalid', exit: 2 }));
  });

  it('takes figures where a text is not needed', () => {
    const { values, stored } = called({ network: { latency: 40 }, geolocation: { latitude: 1, longitude: 2 } });
    expect(values.network).toEqual({ name: '40,0,0', latency: 40 });
    expect(values.geolocation).toEqual({ latitude: 1, longitude: 2, accuracy: 10 });
    expect(stored.network).toEqual({ latency: 40 });
  });
});
