/** Runs tachometer on two pages: installed into a folder of its own, with the chromedriver of the machine. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { installNpm } from './install-npm.ts';

const run = promisify(execFile);
/** The version that the figures in docs/internals/benchmarks.md are of. */
const VERSION = '0.7.2';

/** What tachometer says of candidate against base. */
export interface TachometerAnswer {
  /** Loads of each page. */
  readonly loads: number;
  /** Its 95% interval of the relative difference, as shares. */
  readonly low: number;
  readonly high: number;
  readonly seconds: number;
}

export interface TachometerRun {
  readonly base: string;
  readonly candidate: string;
  /** Name of the page's own `performance.mark`; its time since navigation is compared. */
  readonly mark: string;
  readonly chrome: string;
  /** Loads of each page before it looks at the interval. Its own default is 50. */
  readonly loads?: number;
  /** For how long it goes on while the interval holds 0, minutes; 0: no more than `loads`. */
  readonly minutes?: number;
}

/** Installs it, if it is not there. Rejects where npm or a chromedriver is missing. */
export async function installTachometer(): Promise<string> {
  await run('chromedriver', ['--version']).catch(() => {
    throw new Error('tachometer needs chromedriver on the PATH (Debian: apt-get install chromium-driver)');
  });
  const folder = path.join(os.tmpdir(), `quiesce-tachometer-${VERSION}`);
  return installNpm(folder, { tachometer: VERSION }, {}, async () => {
    // It imports this package before it starts a browser, to put a chromedriver on the PATH. There is one already.
    const driver = path.join(folder, 'node_modules/chromedriver');
    await mkdir(driver, { recursive: true });
    await writeFile(path.join(driver, 'package.json'), JSON.stringify({ name: 'chromedriver', version: '0.0.0' }));
    await writeFile(path.join(driver, 'index.js'), '');
  });
}

/** One comparison. */
export async function tachometer(folder: string, asked: TachometerRun): Promise<TachometerAnswer> {
  const work = await mkdtemp(path.join(os.tmpdir(), 'quiesce-tachometer-run-'));
  try {
    const [config, out] = [path.join(work, 'config.json'), path.join(work, 'out.json')];
    const flags = ['--disable-gpu', '--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
    const page = (name: string, url: string): object => ({
      name,
      url,
      measurement: { mode: 'performance', entryName: asked.mark },
      browser: { name: 'chrome', headless: true, binary: asked.chrome, addArguments: flags },
    });
    await writeFile(
      config,
      JSON.stringify({
        sampleSize: asked.loads ?? 50,
        timeout: asked.minutes ?? 0,
        autoSampleConditions: ['0%'],
        benchmarks: [page('base', asked.base), page('candidate', asked.candidate)],
      }),
    );
    const from = performance.now();
    const bin = path.join(folder, 'node_modules/tachometer/bin/tach.js');
    const child = spawn(process.execPath, [bin, '--config', config, '--json-file', out], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complained = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complained += text;
    });
    const [exit] = await once(child, 'close');
    const seconds = (performance.now() - from) / 1000;
    if (exit !== 0) throw new Error(`tachometer exited with ${exit}: ${complained.trim()}`);
    return { ...answerIn(JSON.parse(await readFile(out, 'utf8'))), seconds };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Of its JSON file, what is read. */
interface Written {
  readonly benchmarks: readonly {
    readonly samples: readonly number[];
    readonly differences: readonly ({
      readonly percentChange: { readonly low: number; readonly high: number };
    } | null)[];
  }[];
}

function answerIn({ benchmarks }: Written): Omit<TachometerAnswer, 'seconds'> {
  const candidate = benchmarks[1];
  const change = candidate?.differences[0]?.percentChange;
  if (candidate === undefined || change === undefined) throw new Error('tachometer wrote no difference');
  return { loads: candidate.samples.length, low: change.low / 100, high: change.high / 100 };
}
