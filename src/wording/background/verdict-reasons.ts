import type { CallSite, OverrulingReason, VerdictReason } from '../../model/background/reason.ts';
import { formatCount, formatValue } from '../text/format.ts';

/** A deviation of more than this share of a period says that there is none. */
const UNEVEN = 0.5;

/** Why a request or an endpoint is background, as a clause with figures. */
export function verdictReasonInWords(reason: VerdictReason): string {
  switch (reason.code) {
    case 'asked-repeatedly': {
      // Pauses that grow, or are drawn by chance, have no period.
      const isEven = reason.deviation <= UNEVEN * reason.period;
      const evenness = isEven
        ? `every ${ms(reason.period)} ± ${ms(reason.deviation)}`
        : `in pauses of about ${ms(Math.max(0, reason.period - reason.deviation))} to ${ms(reason.period + reason.deviation)}`;
      return `requested ${formatCount(reason.times, 'time')}, ${evenness}${site(reason.from)}${sizes(reason.size)}`;
    }
    case 'answer-held-back':
      return `requested ${formatCount(reason.times, 'time')}, answered only after about ${ms(reason.held)} and then requested again at once${site(reason.from)}`;
    case 'replaces-itself':
      return `a response that keeps replacing itself (multipart/x-mixed-replace), ${formatCount(reason.pieces, 'piece')} so far`;
    case 'endless-answer':
      return `${open(reason.open)}, ${formatCount(reason.pieces, 'piece')}, one every ${ms(reason.every)}${site(reason.from)}`;
    case 'silent-answer': {
      const came =
        reason.bytes === undefined
          ? 'nothing arrived after its headers'
          : `${formatValue(reason.bytes, 'bytes')} arrived, then nothing for ${ms(reason.silence)}`;
      return `${open(reason.open)}, ${came}${site(reason.from)}`;
    }
    case 'keeps-failing': {
      const cause = reason.error ?? reason.status;
      const error = cause === undefined ? '' : ` (${cause})`;
      return `failed ${formatCount(reason.times, 'time')} in ${ms(reason.within)}${error} and was repeated, usually after ${ms(reason.period)}${site(reason.from)}`;
    }
    case 'ping':
      return 'sent by sendBeacon or a ping';
    case 'csp-report':
      return 'a CSP report';
    case 'keepalive':
      return `sent with keepalive, which lets it outlive the page${site(reason.from)}`;
    case 'no-content':
      return `answered with ${reason.status}, without a body${site(reason.from)}`;
    case 'tracking-pixel':
      return `an image of ${formatValue(reason.bytes, 'bytes')} that no markup names${site(reason.from)}`;
    case 'read-event-stream':
      return `a stream of type ${reason.mimeType ?? 'text/event-stream'} read through ${reason.type}, ${formatCount(reason.pieces, 'piece')}, still open${site(reason.from)}`;
    case 'event-source':
      return `an EventSource${reason.messages === undefined ? '' : ` with ${formatCount(reason.messages, 'message')}`}, ${STATES[reason.state]}${site(reason.from)}`;
    case 'web-socket':
      return `a WebSocket with ${formatCount(reason.messages, 'message')}${site(reason.from)}`;
    case 'web-transport':
      return 'a WebTransport session';
    case 'fetched-ahead':
      return 'fetched ahead for a page that may come next';
    case 'played':
      return 'fetched by the browser for a player';
    case 'played-by-script':
      return `${reason.mimeType || 'a segment or a playlist'}, fetched by the script of a player${site(reason.from)}`;
    case 'browser-own':
      return `${BROWSER_OWN[reason.what]}, fetched by the browser for itself`;
    case 'own-cache':
      return reason.what === 'script'
        ? 'the script of a service worker'
        : 'fetched by a service worker while nothing on the page waited for it';
    case 'hung':
      return reason.answered
        ? `answered, then silent for ${ms(reason.silence)} without an end${site(reason.from)}`
        : `never answered in ${ms(reason.silence)}, and nothing waited for it${site(reason.from)}`;
    case 'in-repeated-frame':
      return 'loaded by a frame that is itself loaded again and again';
    case 'preflight':
      return 'the preflight of a background request';
    case 'redirect':
      return 'belongs to the redirect of a background request';
    case 'named':
      return `matches --background ${reason.pattern}`;
    case 'supposed':
      return 'treated as background';
    case 'nothing-came':
      return 'nothing arrived from it';
    case 'not-filmed':
      return 'no part of it arrived';
    case 'no-change': {
      const others =
        reason.unclear > 0 ? `; ${timesOf(reason.unclear)} it did change, but other responses arrived with it` : '';
      const what = reason.times === 1 ? 'did not change' : 'changed after none of them';
      return `${came(reason.times)}, and the screen ${what}${others}${aside(reason.movingParts)}${reason.notices ? ', apart from what appeared and left again' : ''}`;
    }
    case 'too-late':
      return `${came(reason.times)}, too late in the film to see its effect`;
    case 'before-film':
      return `${came(reason.times)}, the first time before the film started`;
    case 'with-others':
      return `${came(reason.times)}, together with other responses when the screen changed, so it is not clear which one changed it`;
    case 'too-dense':
      return `${came(reason.times)}, so often that every change of the screen follows one of them, whatever its cause`;
    case 'maybe-chance':
      return `${came(reason.times)}, and the screen changed after ${reason.changed} of them, which may be chance`;
    case 'keeps-changing':
      return `${came(reason.times)}, and the screen kept changing with it: after ${reason.changed} of them, ${reason.late} since the page was complete${aside(reason.movingParts)}`;
    case 'changed-at-first': {
      const when = reason.upTo === 1 ? 'after the first' : `up to number ${reason.upTo}`;
      const stopped = reason.after > 0 ? `, and after none of the ${reason.after} that followed` : '';
      return `${came(reason.times)}, and the screen changed ${when}${stopped}${aside(reason.movingParts)}`;
    }
    case 'same-without-it':
      return 'the page looks the same without it';
    case 'different-without-it':
      return 'the page looks different without it';
    case 'held-back':
      return 'blocked';
    case 'done':
      return 'requested several times, then finished';
    case 'read-from-cache':
      return 'the page read it from the cache of its service worker';
    case 'ended':
      return 'a stream that ended';
    case 'content-in-runs':
      return `content in ${reason.runs} of ${reason.of} runs that saw enough of it`;
    case 'in-runs':
      return `${verdictReasonInWords(reason.reason)} (in ${reason.runs} of ${reason.of} runs)`;
    case 'in-build':
      return `${verdictReasonInWords(reason.reason)} (seen in the ${reason.build})`;
    case 'in-evidence-run':
      return `${verdictReasonInWords(reason.reason)} (in the evidence run)`;
    case 'recorded':
      return reason.text;
  }
}

/** Who overruled a detector: "--foreground /chat", "the page looks different without it". */
export function overrulingInWords(reason: OverrulingReason): string {
  return reason.code === 'foreground' ? `--foreground ${reason.pattern}` : verdictReasonInWords(reason);
}

const BROWSER_OWN = {
  manifest: 'the web app manifest',
  icon: 'the icon of the tab',
  dictionary: 'a dictionary to compress later responses with',
} as const;
const STATES = {
  open: 'still open',
  'came-back': 'which came back after it had ended',
  'just-ended': 'just ended',
} as const;

const ms = (value: number): string => formatValue(value, 'ms');
const open = (since: number): string => `open for ${ms(since)} without a length or an end`;

/** ", from a timer in app.js:41": where in the page a request came from; empty when that is not known. */
function site({ timer, file, line }: CallSite = {}): string {
  const where = file === undefined ? undefined : `${file === '' ? 'the page' : cut(file)}:${line}`;
  if (timer !== undefined) return `, from a timer (${timer})${where === undefined ? '' : ` in ${where}`}`;
  return where === undefined ? '' : `, from ${where}`;
}

const cut = (file: string): string => (file.length > 60 ? `${file.slice(0, 30)}…${file.slice(-29)}` : file);

/** ", 38 B each": how large the answers were; empty when none is known. */
function sizes(size: { readonly bytes: number; readonly same: boolean } | undefined): string {
  if (size === undefined) return '';
  return size.same ? `, ${formatValue(size.bytes, 'bytes')} each` : `, about ${formatValue(size.bytes, 'bytes')} each`;
}

const came = (times: number): string => `it arrived ${timesOf(times)}`;
const timesOf = (count: number): string => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);
const aside = (movingParts: boolean): string => (movingParts ? ', without the parts that move by themselves' : '');
