import { BUILDS, type PerBuild } from '../../model/compare/build.ts';
import type { Doubt, PageCompleteResult, TargetResult } from '../../model/result/result.ts';
import { formatValue } from '../text/format.ts';
import { listNames, nameOf } from '../text/names.ts';

/** What may change an answer, as a clause. */
export function doubtInWords(doubt: Doubt, pageUrl: string): string {
  switch (doubt.code) {
    case 'film-disagrees':
      return `the filmed load shows the last content after ${formatValue(doubt.at, 'ms')}`;
    case 'filmed-busy':
      return 'the machine was busy with other things while the page was filmed';
    case 'not-filmed':
      return 'there was no evidence run to show what its background traffic draws';
    case 'background-unproved': {
      const otherwise =
        doubt.at === undefined
          ? 'with it, the page is not complete'
          : `with it, the page is complete after ${formatValue(doubt.at, 'ms')}`;
      return `nothing proves that ${nameOf(doubt.endpoint, pageUrl)} is background; ${otherwise}`;
    }
    case 'content-unproved':
      return `the file does not show whether the page needs ${listNames(doubt.urls, pageUrl)}; without that it is complete after ${formatValue(doubt.at, 'ms')}`;
  }
}

/**
 * How sure an answer is, and why: "proved", "likely: the machine was busy with other things while the page was filmed";
 * undefined where it was not judged.
 */
export function certaintyInWords(answer: PageCompleteResult, pageUrl: string): string | undefined {
  const { doubt, doubts = [], reason, decidedBy } = answer;
  if (doubt === undefined) return undefined;
  if (doubt === 'proved') return decidedBy === 'mark' ? 'proved: the page says so' : 'proved';
  const [first] = doubts.toSorted((a, b) => Number(a.code === 'filmed-busy') - Number(b.code === 'filmed-busy'));
  if (first !== undefined) return `${doubt}: ${doubtInWords(first, pageUrl)}`;
  return reason?.code === 'stream-content'
    ? `${doubt}: a filmed load shows where the content of the stream ends`
    : `${doubt}: a filmed load shows when the last content was painted`;
}

/** Of a comparison: which answers are doubtful, and why; undefined where none is. */
export function doubtfulBuilds(builds: PerBuild<TargetResult>): string | undefined {
  const said = BUILDS.flatMap((build) => {
    const { runs, finalUrl, url } = builds[build];
    const doubtful = runs.flatMap(({ pageComplete }) => (pageComplete?.doubt === 'doubtful' ? pageComplete : []));
    const [first] = doubtful.flatMap(({ doubts = [] }) => doubts.filter(({ code }) => code !== 'filmed-busy'));
    return first ? [`Page complete of the ${build} is doubtful: ${doubtInWords(first, finalUrl ?? url)}.`] : [];
  });
  return said.length === 0 ? undefined : said.join(' ');
}
