/** Words that texts for users do without, and what to write instead. */
export interface Word {
  readonly pattern: RegExp;
  readonly instead: string;
  readonly because: string;
  /** A sentence that the pattern finds, and one beside it that is fine. */
  readonly found: string;
  readonly fine: string;
}

const PASSIVE = 'the reader wants to know who does it: name the actor, then the verb';
const TERM = 'the field has a word for it, and readers search for that word';
const RIDDLE = 'the reader has to guess what is meant: name the thing';
const DIALECT = 'no manual of a browser or a build tool says it so';

export const WORDS: readonly Word[] = [
  {
    pattern: /\b(?:is|are|was|were|be|been) (?:not )?(?:told|let)\b/,
    instead: 'Quiesce reports …, the page could not …',
    because: PASSIVE,
    found: 'Content that one build lacks is told above.',
    fine: 'Quiesce reports content that one build lacks.',
  },
  {
    pattern: /\btells\b|\b(?:not|to) tell (?:how|what|which|whether|with|the)\b|\btell the same\b/,
    instead: 'shows, says, reports, distinguishes',
    because: DIALECT,
    found: 'Not every run tells how long it took.',
    fine: 'Not every run shows how long it took. The result is too close to tell.',
  },
  {
    pattern: /\b(?:has|have|had) (?:not )?come\b/,
    instead: 'arrived, loaded',
    because: TERM,
    found: 'Show text before its font has come.',
    fine: 'Show text while its font loads. What has become of it?',
  },
  {
    pattern: /\b(?:has|have) to come\b|\bmust come\b/,
    instead: 'expected …',
    because: TERM,
    found: 'where a name has to come',
    fine: 'expected a name',
  },
  {
    pattern: /\bwhat (?:came|comes|is there|is found|is seen|is shown|was there|was to be)\b/i,
    instead: 'the noun: the content, the response, the files',
    because: RIDDLE,
    found: 'Preload what is found late.',
    fine: 'Preload files that the browser discovers late. The report says what is missing.',
  },
  {
    pattern: /\b(?:nobody|somebody)\b/i,
    instead: 'the actor: the page, another program',
    because: PASSIVE,
    found: 'The browser was started by somebody else.',
    fine: 'Quiesce did not start the browser.',
  },
  {
    pattern: /\bwho (?:waits|reads|wants|needs)\b/i,
    instead: 'to …, if you …, users who …',
    because: DIALECT,
    found: 'Who waits is told so.',
    fine: 'Users who open the page wait.',
  },
  {
    pattern: /\b(?:of|with) which\b/i,
    instead: 'a second sentence',
    because: 'two short sentences are read once, a nested one twice',
    found: 'three runs, of which one failed',
    fine: 'three runs: one failed. It depends on which run.',
  },
  {
    pattern: /, of it\b/,
    instead: 'including, in it',
    because: RIDDLE,
    found: '60 ms, of it 20 ms forced layout',
    fine: '60 ms, including 20 ms of forced layout',
  },
  {
    pattern: /\bsuch that\b/i,
    instead: 'those that, so that',
    because: DIALECT,
    found: 'Traffic that pages need, and such that they do not.',
    fine: 'Traffic that pages need, such as that of a chat.',
  },
  {
    pattern: /(?<!<)\bpictures?\b(?!>)/i,
    instead: 'image, screenshot, frame, chart',
    because: TERM,
    found: 'Use a newer picture format.',
    fine: 'Use a newer image format, with <picture>.',
  },
  {
    pattern: /\bprocessors?\b/i,
    instead: 'CPU, CPUs',
    because: TERM,
    found: 'The processors were busy.',
    fine: 'The CPU was busy.',
  },
  {
    pattern: /\bbeside\b/i,
    instead: 'next to, with, during',
    because: DIALECT,
    found: 'an icon beside the text',
    fine: 'an icon next to the text',
  },
  {
    pattern: /\b(?:robbed|taken from|took from|excuses?)\b/i,
    instead: 'CPU time lost to other programs; an error page',
    because: 'a machine has no intentions',
    found: 'the time that the machine took from the page',
    fine: 'CPU time that the page lost to other programs',
  },
  {
    pattern:
      /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|later\b|sooner\b|slower\b|faster\b)[a-z]+/i,
    instead: 'is not a …, does not …',
    because: 'English negates the verb',
    found: 'startedDateTime is no date',
    fine: 'startedDateTime is not a date. There is no date. It is no longer a date.',
  },
  {
    pattern: /\bbr(?:ings?|ought)\b(?! (?:a|the|your) server down)/i,
    instead: 'loads, sends, adds, has',
    because: RIDDLE,
    found: 'It brings something that is seen.',
    fine: 'It changes the page. A load test can bring a server down.',
  },
  {
    pattern: /\b(?:that|which) cannot be(?=[.,;]| and\b)/,
    instead: 'impossible',
    because: TERM,
    found: 'times that cannot be, and are left out',
    fine: 'impossible times; a file that cannot be read',
  },
  {
    pattern: /\bon the wire\b/i,
    instead: 'compressed, transferred',
    because: TERM,
    found: 'about 120 kB on the wire',
    fine: '120 kB compressed',
  },
  {
    pattern: /\bby this\b(?= ?[,;.]|$)/,
    instead: 'This …',
    because: 'name the actor, then the verb',
    found: 'A first visit gets no faster by this.',
    fine: 'This does not make the first visit faster. It is caused by this script.',
  },
  {
    pattern: /(?<!\b(?:is|are|was|were) )\ball the same\b/,
    instead: 'still, anyway',
    because: 'readers take it for "all equal"',
    found: 'The page seems to work all the same.',
    fine: 'The page still seems to work. The times are all the same.',
  },
  {
    pattern: /\b(?:anew|in vain|let alone|meanwhile it|it was so|were it)\b/i,
    instead: 'again, without effect',
    because: DIALECT,
    found: 'It asks in vain.',
    fine: 'It asks again, without an answer.',
  },
  {
    pattern: /\bwin(?:s)? over\b/i,
    instead: 'override',
    because: TERM,
    found: 'Options win over the file.',
    fine: 'Options override the file.',
  },
  {
    pattern: /\b(?:save|build|wait|load)(?:s|ed)? little\b|\bsave little\b/i,
    instead: 'smaller',
    because: DIALECT,
    found: '1 more fix that save little here',
    fine: '1 smaller fix',
  },
  {
    pattern: /\b(?:take turns|in turns)\b/i,
    instead: 'in turn, alternate',
    because: TERM,
    found: 'Pages take turns.',
    fine: 'Quiesce loads the pages in turn.',
  },
  {
    pattern: /\bthe driver\b/i,
    instead: 'the load generator',
    because: TERM,
    found: 'The driver is the limit, not the server.',
    fine: 'The load generator is the limit. The field driver has its CPU time.',
  },
];
