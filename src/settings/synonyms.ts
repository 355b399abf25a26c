/** What other tools call our options. */

/** What to type instead: the first of these options that the command takes, with a value where one is meant; or advice. */
export type Instead =
  | { readonly options: readonly (readonly [name: string, value?: string])[] }
  | { readonly advice: Advice };

/** What is not an option here. `src/wording/messages/option-advice.ts` says what to do. */
export const ADVICE = ['target', 'port', 'color', 'window', 'pictures', 'interactive'] as const;
type Advice = (typeof ADVICE)[number];

const to = (...options: readonly (readonly [name: string, value?: string])[]): Instead => ({ options });

/**
 * By the letters of their name: `--number-of-runs` and `--numberOfRuns` are one. Sources: the options of Lighthouse 13,
 * Lighthouse CI 0.15, sitespeed.io 38, the WebPageTest API wrapper 0.7, tachometer 0.7, hyperfine 1.19, k6 1, curl 8, and
 * Puppeteer's names for the same.
 */
const SYNONYMS: readonly (readonly [names: string, instead: Instead])[] = [
  ['output outputpath outputdir outputfolder outdir outdirectory dir resultdir save', to(['out'])],
  ['outputformat reporter reporters report reportformat', to(['format'])],
  ['har savehar', to(['format', 'har'])],
  ['csv', to(['format', 'csv'])],
  ['junit', to(['format', 'junit'])],
  ['markdown', to(['format', 'md'])],
  ['saveresponsebodies bodies includeresponsebodies', to(['harContent'])],
  [
    'iterations iteration repeat repeats repetitions numberofruns nruns count samples samplesize loops times',
    to(['runs'], ['maxPairs']),
  ],
  ['runs', to(['maxPairs'])],
  ['mobile phone emulatemobile', to(['device', 'phone'])],
  ['desktop emulatedesktop', to(['device', 'desktop'])],
  ['tablet', to(['device', 'tablet'])],
  ['formfactor emulatedformfactor preset viewport windowsize screensize emulate resolution', to(['device'])],
  ['url urls uri site page target collecturl startserverurl', { advice: 'target' }],
  ['file files input inputfile', to(['urlsFile'])],
  ['depth crawl limit maxpagestotest', to(['maxPages'])],
  [
    'throttle throttling throttlingmethod networkthrottling connectivity connectivityprofile connection bandwidth latency',
    to(['network']),
  ],
  [
    'cputhrottling cputhrottle cpuslowdown cpuslowdownmultiplier throttlecpu throttlingcpuslowdownmultiplier',
    to(['cpu']),
  ],
  ['port', { advice: 'port' }],
  ['headers extraheaders requestheader requestheaders setheader', to(['header'])],
  ['cookies setcookie', to(['cookie'])],
  ['auth user login username password httpauth authentication', to(['basicAuth'])],
  ['maxwait maxwaitforload maxloadtime timelimit wait waittimeout navigationtimeout', to(['timeout'])],
  ['idle idletime networkidle networkquiet settle quiet networkquietthreshold quietthreshold', to(['quietWindow'])],
  [
    'waituntil waitfor waitforselector selector ready readywhen pagecompletecheck pagecomplete mark measure',
    to(['completeOn']),
  ],
  ['ignore exclude ignoreurl ignoreurls ignorepattern', to(['background'])],
  ['blockurl blockurls blockdomains blockedurlpatterns', to(['block'])],
  ['insecure ignorehttpserrors ignorecertificate allowinsecure', to(['ignoreCertificateErrors'])],
  ['silent', to(['quiet'])],
  ['debug trace loglevel', to(['verbose'])],
  ['chromepath executablepath chrome browserpath binarypath', to(['browser'])],
  ['chromeflags chromeargs chromeflag args browserargs', to(['browserArg'])],
  ['browserurl wsendpoint browserwsendpoint hostname remote debuggingport', to(['browserWs'])],
  ['prescript multi precommand puppeteerscript scenario', to(['script'])],
  ['repeatview firstviewonly browsercachewarm preurl', to(['view', 'warm'])],
  ['agent useragentstring', to(['userAgent'])],
  ['lang language', to(['locale'])],
  ['tz', to(['timezone'])],
  ['budgets budgetpath assert assertions assertmatrix assertpreset', to(['budget'])],
  ['threshold horizon autosampleconditions', to(['minEffect'], ['budget'])],
  ['confidence significance confidencelevel pvalue', to(['alpha'])],
  ['baseline base baseurl against target1', to(['baseRef'])],
  ['distdir staticdistdir folder', to(['dist'])],
  ['startservercommand startcommand servercommand server', to(['serveCommand'])],
  ['parallel parallelism workers concurrency jobs', to(['shard'])],
  ['nochecks nofilm skipevidence fast', to(['evidence'])],
  ['nocolor nocolour color colour', { advice: 'color' }],
  ['headless headful headed show noheadless', { advice: 'window' }],
  ['screenshot screenshots video filmstrip visualmetrics film', { advice: 'pictures' }],
  ['proxy proxyserver', to(['browserArg', '--proxy-server=<url>'])],
  ['interactive watch', { advice: 'interactive' }],
];

/** Single letters of curl and sitespeed.io that are none of ours. */
const LETTERS: Readonly<Record<string, Instead>> = {
  '-k': to(['ignoreCertificateErrors']),
  '-u': to(['basicAuth']),
  '-A': to(['userAgent']),
  '-c': to(['network']),
  '-r': to(['runs'], ['header']),
  '-m': to(['timeout']),
  '-f': to(['format']),
  '-d': to(['device']),
  '-w': to(['maxPairs']),
};

const BY_NAME = new Map(
  SYNONYMS.flatMap(([names, instead]) => names.split(' ').map((name) => [name, instead] as const)),
);

/** What to type instead of an option of another tool, as typed: `--iterations`, `-k`. */
export function insteadOf(typed: string): Instead | undefined {
  if (!typed.startsWith('--')) return LETTERS[typed];
  return BY_NAME.get(typed.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/** All names, for tests. */
export const SYNONYM_NAMES: ReadonlyMap<string, Instead> = BY_NAME;
