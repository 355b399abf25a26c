import { withoutHash } from '../core/requests/address-parts.ts';
import type { RequestSource } from '../model/background/request-reason.ts';
import type { MainThreadCategory, StepPlace } from '../model/main-thread.ts';
import type { WorkStepFacts } from '../model/result/run-facts.ts';
import { fileAndLine } from './background/request-reasons.ts';

/** What the main thread did, as the predicate of "the page": "ran build (vendor.js:12)". */
export function workInWords({ category, place }: Pick<WorkStepFacts, 'category' | 'place'>, pageUrl: string): string {
  if (place === undefined) return WITHOUT_SCRIPT[category];
  const where = placeInWords(place, pageUrl);
  switch (category) {
    case 'scriptCompile':
      return `compiled ${fileOf(place, pageUrl)}`;
    case 'styleLayout':
      return `computed style and layout for ${where}`;
    case 'garbageCollection':
      return `collected the garbage of ${fileOf(place, pageUrl)}`;
    default:
      return `ran ${where}`;
  }
}

const WITHOUT_SCRIPT: Readonly<Record<MainThreadCategory, string>> = {
  scriptEvaluation: 'ran scripts',
  scriptCompile: 'compiled scripts',
  parseHtml: 'parsed HTML',
  styleLayout: 'computed style and layout',
  paint: 'painted',
  garbageCollection: 'collected garbage',
  other: 'kept its main thread busy',
};

/** "build (vendor.js:12)", "vendor.js:12"; in the source that it was built from where that is known. */
function placeInWords(place: StepPlace, pageUrl: string): string {
  const { source } = place;
  const name = source?.name ?? place.function;
  const at = source
    ? `${lastPartOf(source.file)}:${source.line}`
    : fileAndLine(sourceOf(place, pageUrl), place.line, pageUrl);
  const isPage = source === undefined && sourceOf(place, pageUrl).isPage;
  if (name === undefined || name === '' || name.startsWith('(')) return isPage ? `a script in ${at}` : at;
  return `${name} (${at})`;
}

const fileOf = (place: StepPlace, pageUrl: string): string => fileAndLine(sourceOf(place, pageUrl), undefined, pageUrl);

const sourceOf = ({ url }: StepPlace, pageUrl: string): RequestSource => ({
  url,
  isPage: withoutHash(url) === withoutHash(pageUrl),
});

const lastPartOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
