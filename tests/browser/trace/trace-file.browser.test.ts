import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { createRedactor } from '../../../src/core/har/redact.ts';
import { openOutput } from '../../../src/jobs/engine/reports/output.ts';
import { traceWriter } from '../../../src/jobs/engine/reports/trace-file.ts';
import { importDevTools } from '../../support/devtools.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

let server: FixtureServer;
let lab: ChromeLab;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-trace-'));
  [server, lab] = await Promise.all([startFixtureServer(), sharedLab()]);
});
afterAll(async () => {
  await lab?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the test asks of DevTools' model of a trace. */
interface ParsedTrace {
  readonly data: {
    readonly Meta: {
      readonly mainFrameURL: string;
      readonly navigationsByNavigationId: ReadonlyMap<
        string,
        { readonly args: { readonly data?: { readonly documentLoaderURL?: string } } }
      >;
    };
    readonly Screenshots: { readonly screenshots?: readonly unknown[] };
    readonly Samples: {
      readonly profilesInProcess: ReadonlyMap<
        number,
        ReadonlyMap<
          number,
          { readonly parsedProfile: { nodes(): readonly { readonly functionName: string }[] | undefined } }
        >
      >;
    };
  };
}

interface Model {
  parse(events: readonly unknown[], options: object): Promise<void>;
  parsedTrace(index: number): ParsedTrace | null;
}

/** DevTools' own reader, from the sources of its front end. */
async function devToolsModel(): Promise<Model> {
  const { TraceModel } = await importDevTools('trace/trace.js', folder);
  return TraceModel.Model.createWithAllHandlers();
}

it('DevTools reads the trace file: the navigation, the screenshots and the profile', async () => {
  const url = server.url('main-thread');
  const recording = await recordIn(lab, url, QUICK, { trace: true, film: true });
  const write = traceWriter({ formats: ['har'], redact: createRedactor() }, await openOutput(folder, true));
  expect(await write(recording, 'trace.json.gz')).toBe('trace.json.gz');
  const text = await promisify(gunzip)(await readFile(path.join(folder, 'trace.json.gz')));
  const { traceEvents, metadata } = JSON.parse(text.toString());
  const model = await devToolsModel();
  await model.parse(traceEvents, { metadata });
  const { Meta, Screenshots, Samples } = model.parsedTrace(0)?.data ?? {};
  expect(Meta?.mainFrameURL).toBe(url);
  const navigations = [...(Meta?.navigationsByNavigationId.values() ?? [])];
  expect(navigations.map(({ args }) => args.data?.documentLoaderURL)).toEqual([url]);
  expect(Screenshots?.screenshots?.length).toBeGreaterThan(0);
  const profiles = [...(Samples?.profilesInProcess.values() ?? [])].flatMap((of) => [...of.values()]);
  const functions = profiles.flatMap(({ parsedProfile }) => parsedProfile.nodes() ?? []);
  expect(functions.map(({ functionName }) => functionName)).toContain('renderWidget');
});
