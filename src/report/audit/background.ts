import type { BackgroundEndpoint } from '../../model/result.ts';
import { backgroundOf } from '../../result/background.ts';
import { headlineComplete } from '../../result/representative.ts';
import { describeEndpoints, endpointInWords } from '../../wording/endpoints.ts';
import { formatCount } from '../../wording/format.ts';
import { confidenceInWords, countedAnswer, impactInWords, overruledInWords } from '../../wording/words.ts';
import { cut, type Detail, details, list, type Part, paragraph } from '../parts.ts';
import type { Chapter } from './page.ts';

/** The traffic that was left out of page complete, and what counts although it looks like background. */
export const background: Chapter = ({ target, detail }) => {
  const { left, counted } = backgroundOf(target);
  const { url, finalUrl } = target.result;
  if (detail === 'brief') {
    return left.length === 0 ? [] : paragraph(`Background, not counted: ${describeEndpoints(left, finalUrl ?? url)}.`);
  }
  const items = counted.map((endpoint) => ({
    text: [{ code: endpoint.kind }, ' ', { code: endpointInWords(endpoint) }, `: ${whyOf(endpoint)}`],
  }));
  return [
    ...table(left, headlineComplete(target), detail),
    ...details('Looks like background, but counts', list(items, detail, { noun: 'endpoint' }), detail),
  ];
};

/** The dearest first. */
function table(left: readonly BackgroundEndpoint[], complete: number | undefined, detail: Detail): readonly Part[] {
  if (left.length === 0) return [];
  const { shown, more } = cut(left, detail, 'endpoint');
  const rows = shown.map((endpoint) => [
    { code: endpoint.kind },
    { code: endpointInWords(endpoint) },
    countedAnswer(endpoint, complete).figure,
    whyOf(endpoint),
  ]);
  return [
    {
      kind: 'table',
      title: { strong: `${formatCount(left.length, 'background endpoint')} left out of page complete` },
      columns: [
        { title: 'Kind' },
        { title: 'Endpoint' },
        { title: 'If counted', figures: true },
        { title: 'Why it is background', long: true },
      ],
      rows,
      ...(more !== undefined && { more }),
    },
  ];
}

/** Why an endpoint is background, how sure that is, and what it showed, or why it counts all the same. */
function whyOf(endpoint: BackgroundEndpoint): string {
  const { because, excluded, visualImpact } = endpoint;
  const more = excluded
    ? visualImpact === 'unknown'
      ? ''
      : `; ${impactInWords(endpoint)}`
    : `; ${overruledInWords(endpoint)}`;
  return `${because} (${confidenceInWords(endpoint)})${more}`;
}
