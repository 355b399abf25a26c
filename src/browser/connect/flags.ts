import type { BrowserNote } from '../../model/result/note.ts';

/**
 * Chrome's command line. It shall load pages as for a user and do nothing else: no updates, no services, no first-run
 * pages, no throttling of windows in the background.
 */
const CHROME_FLAGS: readonly string[] = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--disable-gpu',
  // HTTP/3 is only used after an earlier visit. Without it every run of a cold profile uses the same protocol.
  '--disable-quic',
  // Every load has a window of its own. The one that Chrome would open by itself takes half of its start.
  '--no-startup-window',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-client-side-phishing-detection',
  '--disable-domain-reliability',
  '--disable-breakpad',
  '--metrics-recording-only',
  '--mute-audio',
  '--hide-scrollbars',
  '--password-store=basic',
  '--use-mock-keychain',
  '--force-color-profile=srgb',
  // Timers and renderers of a hidden window must run as those of a visible one.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  // Containers give /dev/shm 64 MB, in which large pages crash.
  '--disable-dev-shm-usage',
];

/** Features that do more than load the page. */
const DISABLED_FEATURES: readonly string[] = [
  'Translate',
  'MediaRouter',
  'OptimizationHints',
  'CalculateNativeWinOcclusion',
  'InterestFeedContentSuggestions',
  // Every new window, and so every run, would load two pages for the address bar's suggestions, half a second of
  // processor time each, while the page under test loads: on two processors page-complete was 270 instead of 173 ms
  // (a built shop, 15 interleaved loads each, Chromium 156).
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // A sandboxed `srcdoc` frame in a process of its own is not paused when it starts: its first requests are never reported.
  // Puppeteer switches it off as well. Such a frame then runs in the page's process, as frames without a sandbox do.
  'IsolateSandboxedIframes',
];

const DISABLE_FEATURES = '--disable-features=';

/** All arguments, the user's last. Of several `--disable-features` Chrome takes the last one, so the lists are joined. */
export function chromeArguments(added: readonly string[]): readonly string[] {
  const isList = (argument: string): boolean => argument.startsWith(DISABLE_FEATURES);
  const theirs = added.filter(isList).map((argument) => argument.slice(DISABLE_FEATURES.length));
  return [
    ...CHROME_FLAGS,
    DISABLE_FEATURES + [...DISABLED_FEATURES, ...theirs].join(','),
    ...added.filter((argument) => !isList(argument)),
  ];
}

/** Of the flags and features above, those that change figures. The others only keep Chrome quiet, or running. */
const FLAGS_THAT_MATTER: readonly string[] = [
  '--disable-quic',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];
/** Only browsers with an address bar have these; `chrome-headless-shell`, which has none, calls itself so. */
const FEATURES_THAT_MATTER: readonly string[] = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
const WITHOUT_WINDOWS = /^HeadlessChrome\//;

/**
 * Notes for the reader about a browser that Quiesce has not started. They name our own flags alone: the command line may
 * hold secrets.
 *
 * @param commandLine undefined where the browser does not say
 */
export function noteOnArguments(commandLine: string | undefined, product: string): readonly BrowserNote[] {
  if (commandLine === undefined) return [{ code: 'unknown-arguments' }];
  const given = commandLine.split(/\s+/);
  const lists = given.filter((argument) => argument.startsWith(DISABLE_FEATURES));
  const disabled = lists.at(-1)?.slice(DISABLE_FEATURES.length).split(',') ?? [];
  const flags = FLAGS_THAT_MATTER.filter((flag) => !given.includes(flag));
  const features = WITHOUT_WINDOWS.test(product)
    ? []
    : FEATURES_THAT_MATTER.filter((feature) => !disabled.includes(feature));
  const missing = [...flags, ...(features.length === 0 ? [] : [DISABLE_FEATURES + features.join(',')])];
  return missing.length === 0 ? [] : [{ code: 'missing-arguments', missing }];
}
