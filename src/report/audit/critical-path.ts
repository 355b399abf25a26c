import { headlineComplete } from '../../result/representative.ts';
import { formatValue } from '../../wording/format.ts';
import { chainInWords, lengthOf, pathSentence } from '../critical-path.ts';
import { type Part, paragraph } from '../parts.ts';
import type { Chapter } from './page.ts';

/** The chain of requests that decided page complete, and where most of its time went. */
export const criticalPath: Chapter = ({ target, detail }) => {
  const { representative, result } = target;
  if (detail === 'brief' || representative === undefined) return [];
  const { criticalPath: path, breakdown } = representative;
  const sentence = path && pathSentence(path);
  if (path === undefined || sentence === undefined) return stages(breakdown, result.step !== undefined);
  const complete = headlineComplete(target);
  // With an even number of runs, the median is of none.
  const isOther = complete !== undefined && formatValue(complete, 'ms') !== formatValue(lengthOf(path), 'ms');
  const of = isOther && representative.role === 'timed' ? ` of run ${representative.index}` : '';
  return [
    { kind: 'figure', name: 'critical-path', title: `Critical path${of}`, text: { code: chainInWords(path) } },
    ...paragraph(sentence),
    ...stages(breakdown, result.step !== undefined),
  ];
};

/** Where page complete went, in stages. A step has no document to wait for. */
function stages(
  breakdown: NonNullable<Parameters<Chapter>[0]['target']['representative']>['breakdown'],
  isStep: boolean,
): readonly Part[] {
  if (breakdown === undefined) return [];
  const { basePage, parse, components, render } = breakdown;
  const all = [
    ['base page', basePage],
    ['parse', parse],
    ['components', components],
    ['render', render],
  ] as const;
  const facts = all.filter(([, ms]) => !isStep || ms > 0).map(([name, ms]) => [name, formatValue(ms, 'ms')] as const);
  return [{ kind: 'facts', title: 'Where the time went', facts }];
}
