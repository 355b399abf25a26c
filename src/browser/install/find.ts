import { accessSync, closeSync, constants, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { posix, resolve, win32 } from 'node:path';
import { homeFolder, ownCacheFolder } from '../../shell/disk/cache-folder.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';

/** A browser that can be started. */
export interface FoundBrowser {
  /** Absolute path of the executable. */
  readonly path: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Names on the PATH, best first: stable before beta before daily builds, and Chrome before Chromium before Edge, because
 * most users have Chrome.
 */
const NAMES = [
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'microsoft-edge',
  'google-chrome-beta',
  'microsoft-edge-beta',
  'google-chrome-unstable',
  'microsoft-edge-dev',
];

/**
 * Where installers put browsers, in the order of {@link NAMES}. Not `computeSystemExecutablePath` of `@puppeteer/browsers`:
 * it only knows Chrome, reads `process.env`, and under WSL starts four processes to find a Chrome of Windows, whose profile
 * folder Quiesce cannot use.
 */
export function installedLocations(platform: NodeJS.Platform, env: Environment): readonly string[] {
  if (platform === 'win32') {
    const roots = [
      env.PROGRAMFILES ?? 'C:\\Program Files',
      env['PROGRAMFILES(X86)'] ?? 'C:\\Program Files (x86)',
      env.LOCALAPPDATA,
    ];
    const tails = [
      'Google\\Chrome\\Application\\chrome.exe',
      'Chromium\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
      'Google\\Chrome Beta\\Application\\chrome.exe',
      'Google\\Chrome Dev\\Application\\chrome.exe',
      'Google\\Chrome SxS\\Application\\chrome.exe',
    ];
    return tails.flatMap((tail) => roots.flatMap((root) => (root ? [win32.join(root, tail)] : [])));
  }
  if (platform === 'darwin') {
    const apps = [
      'Google Chrome',
      'Chromium',
      'Microsoft Edge',
      'Google Chrome Beta',
      'Google Chrome Dev',
      'Google Chrome Canary',
    ];
    const roots = ['/Applications', posix.join(homeFolder(env), 'Applications')];
    return apps.flatMap((app) => roots.map((root) => posix.join(root, `${app}.app`, 'Contents', 'MacOS', app)));
  }
  return [
    '/opt/google/chrome/chrome',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/lib/chromium/chromium',
    '/opt/microsoft/msedge/msedge',
    '/opt/google/chrome-beta/chrome',
    '/opt/google/chrome-unstable/chrome',
    '/snap/bin/chromium',
  ];
}

/** Folders with Chrome for Testing: Puppeteer's cache, which `quiesce browser install` uses too, and our own. */
export function cacheFolders(env: Environment): readonly string[] {
  return [
    ...(env.PUPPETEER_CACHE_DIR ? [env.PUPPETEER_CACHE_DIR] : []),
    resolve(homeFolder(env), '.cache', 'puppeteer'),
    ownCacheFolder(env),
  ];
}

/**
 * Finds the browser to measure with: the one that is named (`--browser`, else QUIESCE_BROWSER), else an installed Chrome,
 * Chromium or Edge, else the newest Chrome for Testing in the caches.
 *
 * @throws QuiesceError `browser-not-executable` for a named path that cannot be started, `browser-not-found` otherwise.
 */
export async function findBrowser(
  explicit: string | undefined,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
  installed: readonly string[] = installedLocations(platform, env),
): Promise<FoundBrowser> {
  const named = explicit ?? (env.QUIESCE_BROWSER || undefined);
  if (named !== undefined) return { path: resolveNamed(named, env, platform) };

  for (const name of NAMES) {
    const path = onPath(name, env, platform);
    if (path !== undefined && !isSnapStub(path)) return { path };
  }
  for (const path of installed) {
    if (whyNotExecutable(path) === undefined && !isSnapStub(path)) return { path };
  }
  const cached = await newestInCaches(cacheFolders(env));
  if (cached !== undefined) return { path: cached };
  throw new QuiesceError('browser-not-found');
}

function resolveNamed(named: string, env: Environment, platform: NodeJS.Platform): string {
  const path = resolve(named);
  const detail = whyNotExecutable(path);
  if (detail === undefined) return path;
  // A name without a path is looked up on the PATH, as a shell does: `--browser chromium`.
  const found = /[\\/]/.test(named) ? undefined : onPath(named, env, platform);
  if (found !== undefined) return found;
  throw new QuiesceError('browser-not-executable', { path: named, detail });
}

function onPath(name: string, env: Environment, platform: NodeJS.Platform): string | undefined {
  const [separator, file] = platform === 'win32' ? [';', `${name}.exe`] : [':', name];
  // Windows spells the variable "Path"; a copied environment object is case-sensitive.
  const folders = (env.PATH ?? env.Path ?? '').split(separator);
  for (const folder of folders) {
    if (folder === '') continue;
    const path = resolve(folder, file);
    if (whyNotExecutable(path) === undefined) return path;
  }
  return undefined;
}

/** Undefined where it is executable, else a clause. */
function whyNotExecutable(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return 'not a file';
  } catch {
    return 'no such file';
  }
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return 'not executable';
  }
}

/**
 * Ubuntu's `chromium-browser` package is a shell script that asks the user to install the snap.
 * https://packages.ubuntu.com/noble/chromium-browser
 */
function isSnapStub(path: string): boolean {
  try {
    if (statSync(path).size > 20_000) return false;
    const handle = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(20_000);
      const text = buffer.toString('latin1', 0, readSync(handle, buffer));
      return text.startsWith('#!') && text.includes('/snap/bin/chromium') && !exists('/snap/bin/chromium');
    } finally {
      closeSync(handle);
    }
  } catch {
    return false;
  }
}

function exists(path: string): boolean {
  try {
    realpathSync(path);
    return true;
  } catch {
    return false;
  }
}

async function newestInCaches(folders: readonly string[]): Promise<string | undefined> {
  const present = folders.filter((folder) => hasChrome(folder));
  if (present.length === 0) return undefined;
  // Imported only here: an installed browser is found without it in a few milliseconds.
  const { Browser, detectBrowserPlatform, getInstalledBrowsers, getVersionComparator } = await import(
    '@puppeteer/browsers'
  );
  const platform = detectBrowserPlatform();
  const newer = getVersionComparator(Browser.CHROME);
  const all = await Promise.all(present.map((cacheDir) => getInstalledBrowsers({ cacheDir }).catch(() => [])));
  const usable = all
    .flat()
    .filter((it) => it.browser === Browser.CHROME && it.platform === platform)
    .filter((it) => whyNotExecutable(it.executablePath) === undefined);
  return usable.toSorted((a, b) => newer(b.buildId, a.buildId))[0]?.executablePath;
}

function hasChrome(cacheFolder: string): boolean {
  try {
    return readdirSync(resolve(cacheFolder, 'chrome')).length > 0;
  } catch {
    return false;
  }
}
