import type { ShownError, ShownPage } from '../../model/health.ts';
import type { Visit } from '../../model/network/visit.ts';
import { isFailed } from '../timeline/failed.ts';
import type { Check, CheckedFact } from './check.ts';

/** A page with less text than this that speaks of an error is an error page, letters. Source: as much as a short paragraph. */
const ERROR_PAGE_LETTERS = 600;
/** One with less than this is nothing else, letters: a heading, two sentences and a link back. */
const NOTHING_ELSE_LETTERS = 300;
/** An error message within a page that is no more than that, letters: a sentence. A longer text only mentions an error. */
const MESSAGE_LETTERS = 160;

/** What pages write when something went wrong: a text is one only if it begins like this, whatever it says about it then. */
const BEGINS =
  /^\W*(?:(?:oops|uh[- ]?oh|whoops|sorry|error)\W+)*(?:(?:oops|whoops)\b|something (?:went|has gone|is) wrong|there (?:was|has been) (?:an? |a )?(?:error|problem)|an? (?:unexpected |unknown |internal |server |application |client-side )?(?:error|exception|problem) (?:has )?occurr?ed|application error|internal server error|server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|(?:failed|unable) to (?:load|fetch|connect|get|retrieve|render)|(?:we |it )?(?:could not|couldn['’]t|can(?:not|['’]t)) (?:be )?(?:load(?:ed)?|fetch(?:ed)?|connect|reach|render|find)|(?:\w+ ){1,6}(?:failed to load|could not be (?:loaded|found|reached)|couldn['’]t be (?:loaded|found|reached))|(?:the |this |our )?(?:site|page|service|server|content|data|application|app) (?:is|are) (?:currently |temporarily )?(?:unavailable|not available|down)|network error|fetch error|(?:uncaught )?(?:type|reference|syntax|range)error:|(?:error )?[45]\d\d\b[\s:–—-]*(?:error|not found|forbidden|unauthorized|internal|bad|service|gateway|page)|page not found|cannot (?:get|post) \/|whitelabel error page|etwas ist schiefgelaufen|ein fehler ist aufgetreten|une erreur (?:est survenue|s['’]est produite)|se ha producido un error|algo sali[oó] mal|si è verificato un errore|ocorreu um erro)/i;

/** The pattern that the page is searched with: as text, because it is sent there. */
export const ERROR_TEXT = { source: BEGINS.source, flags: BEGINS.flags } as const;

/** A page that shows nothing, that is an error page, or that has an error message in it. */
export const shownErrors: Check = (visit) => {
  const { shown } = visit.recording;
  // What a step leaves on the screen is not all its own doing.
  if (shown === undefined || visit.recording.navigation.step !== undefined) return [];
  if (shown.letters === 0 && !shown.isDrawn) return [{ code: 'blank-page', urls: [], facts: { isBroken: true } }];
  return errorOf(shown, somethingFailed(visit));
};

function errorOf(shown: ShownPage, failed: boolean): readonly CheckedFact[] {
  const errors = shown.errors.filter(({ text }) => BEGINS.test(text) && text.length <= MESSAGE_LETTERS);
  const isShort = shown.letters < ERROR_PAGE_LETTERS;
  const whole = isShort ? (errors.find(({ isHeading }) => isHeading) ?? errors[0]) : undefined;
  if (whole) {
    // A short page with a message in it that is marked up as one is a page with a message.
    const code = whole.isHeading || shown.letters < NOTHING_ELSE_LETTERS ? 'error-page' : 'error-shown';
    return [factOf(code, whole)];
  }
  // In a long page the same words may be what it is about: an answer in a forum, the documentation of an error.
  const box = errors.find(({ isMarked }) => isMarked || failed);
  return box ? [factOf('error-shown', box)] : [];
}

const factOf = (code: 'error-page' | 'error-shown', { text }: ShownError): CheckedFact => ({
  code,
  urls: [],
  facts: { text, isBroken: true },
});

/** Did the page have a reason to show an error? */
function somethingFailed({ timeline, recording }: Visit): boolean {
  const isScripted = (type: string): boolean => type === 'fetch' || type === 'xhr' || type === 'script';
  return (
    (recording.scriptErrors ?? []).length > 0 ||
    timeline.requests.some((request) => isScripted(request.type) && isFailed(request))
  );
}
