import { cutTo } from '../../core/text/cut-to.ts';
import type { HarFault } from '../../model/network/har-fault.ts';
import { joined } from '../text/format.ts';
import { plain } from '../text/text.ts';

/** Addresses and names are cut after so many characters. */
const MAX_TEXT_LENGTH = 100;

const short = (text: string): string => plain(cutTo(text, MAX_TEXT_LENGTH));

/** What is wrong in a HAR, one sentence: the entry, the field, and what the field has to be. */
export function harFaultInWords(fault: HarFault): string {
  switch (fault.code) {
    case 'url-missing':
      return `Entry ${fault.entry}: request.url is missing, so the entry is left out.`;
    case 'no-date':
      return `${entryWithUrl(fault)}: startedDateTime is not a date, so the entry is left out.`;
    case 'far-away':
      return `${entryWithUrl(fault)}: startedDateTime is more than a day away from the start of its page, so the entry is left out.`;
    case 'too-long':
      return `${entryWithUrl(fault)}: time is ${fault.time}, longer than a day, and is treated as unknown.`;
    case 'too-large':
      return `${fieldOf(fault)} is ${fault.value}, more bytes than a load can have, and is treated as unknown.`;
    case 'blank-page':
      return 'It was recorded on about:blank, where no page was loaded.';
    case 'only-local':
      return `It contains only addresses that need no network (${joined(fault.schemes.map(short))}).`;
    case 'empty-page':
      return `Page "${short(fault.page)}" has no requests.`;
    case 'no-entries':
      return 'It has no entries.';
    case 'no-log':
      return 'The HAR has to be an object with a log.';
    case 'other-count':
      return `${fault.entries} entries for ${fault.announced} requests that the browser announced`;
    case 'no-json':
      return `The HAR cannot be written as JSON: ${fault.detail}.`;
    case 'field-missing':
      return `${fieldOf(fault)} is missing.`;
    case 'no-address':
      return `${fieldOf(fault)} should be an IP address.`;
    case 'no-date-time':
      return `${fieldOf(fault)} should be a date with its time and its zone, as in 2026-01-31T12:00:00.000Z.`;
    case 'too-small':
      return `${fieldOf(fault)} is ${fault.value}, should be >= ${fault.least}.`;
    case 'unknown-page':
      return `${fieldOf(fault)} names the page ${short(fault.page)}, which is not in log.pages.`;
    case 'wrong':
      return `${fieldOf(fault)} ${plain(fault.detail)}.`;
  }
}

/** "Entry 3 (https://…)", so that the entry can be found without counting. */
function entryWithUrl({ entry, url = '' }: { readonly entry: number; readonly url?: string }): string {
  return `Entry ${entry}${url === '' ? '' : ` (${short(url)})`}`;
}

function fieldOf({
  entry,
  path,
  ...more
}: {
  readonly entry?: number;
  readonly url?: string;
  readonly path: string;
}): string {
  if (entry === undefined) return plain(path) || 'The HAR';
  return `${entryWithUrl({ entry, ...more })}: ${plain(path) || 'it'}`;
}
