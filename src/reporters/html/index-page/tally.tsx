import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/result/report.ts';
import { VERDICT_MARKS } from '../../../report/pages/table.ts';
import { restOfTally, tallyOf } from '../../../wording/result/outcome.ts';
import { sentence } from '../components/part.tsx';
import { TONES } from '../write.tsx';

/** What all pages came to, each number in the colour of its verdict. A figure stays with its word. */
export function Tally(props: { readonly targets: readonly TargetReport[]; readonly analysis: boolean }): JSX.Element {
  const { targets, analysis } = props;
  const whole = (text: string): string => sentence(text).replace(/(\d) (?=[a-z])/g, '$1\u00a0');
  const tally = tallyOf(targets, analysis);
  const rest = restOfTally(targets).join('; ');
  const end = rest === '' ? '.' : ';';
  return (
    <>
      {tally.map(({ verdict, text }, index) => (
        <span key={verdict} class={`tally ${TONES[VERDICT_MARKS[verdict]]}`}>
          {whole(text)}
          {index < tally.length - 1 ? ', ' : end}
        </span>
      ))}
      {rest !== '' && ` ${whole(rest)}.`}
    </>
  );
}
