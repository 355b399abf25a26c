import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/report.ts';
import type { PageVerdict } from '../../../model/result.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { outcomeOf } from '../../../result/outcome.ts';
import { answerOf } from '../../../result/representative.ts';
import { isUnproved } from '../../../result/unproved.ts';
import { verdictOf } from '../../../result/verdict.ts';
import { brokenBecause } from '../../../wording/health.ts';
import { restOfTally, tallyOf, verdictInGeneral } from '../../../wording/outcome.ts';
import { elide } from '../../../wording/text.ts';
import { waitingForListed } from '../../../wording/waiting-for.ts';
import { sentence } from '../components/part.tsx';

/** Longest reason that a row holds. */
const LONG = 90;

/** How each verdict looks; a sign stands beside the colour. */
const LOOKS: Readonly<Record<PageVerdict, readonly [tone: string, sign: string]>> = {
  good: ['better', '✓'],
  'needs-improvement': ['unsure', '!'],
  poor: ['worse', '✗'],
  broken: ['worse', '⚠'],
  never: ['worse', '✗'],
  unconfirmed: ['unsure', '?'],
  unmeasured: ['worse', '✗'],
};

/** A page's verdict, and why where it is not its speed. */
export function PageVerdictCell(props: { readonly target: TargetReport; readonly analysis: boolean }): JSX.Element {
  const { target, analysis } = props;
  const verdict = verdictOf(target.result);
  const [tone, sign] = LOOKS[verdict];
  const reason = reasonOf(target, verdict);
  return (
    <>
      <span class={`outcome ${tone}`}>
        <span aria-hidden="true">{sign}</span> {verdictInGeneral(verdict, analysis)}
      </span>
      {reason !== undefined && <small>{sentence(elide(reason, LONG))}</small>}
    </>
  );
}

function reasonOf(target: TargetReport, verdict: PageVerdict): string | undefined {
  const { result } = target;
  if (verdict === 'broken') return brokenBecause(result);
  if (verdict === 'unmeasured') return result.runs.find(({ failure }) => failure !== undefined)?.failure?.message;
  if (verdict === 'never') {
    const answer = answerOf(target);
    if (answer === undefined || answer.waitingFor.length === 0) return undefined;
    return `still waiting for ${waitingForListed(answer, result.finalUrl ?? result.url)}`;
  }
  return outcomeOf(result) === 'partly' ? 'not complete in every run' : undefined;
}

/** That a time may be wrong; undefined of one that is proved, or as good as. */
export function doubtMark(target: TargetReport): string | undefined {
  const answers = countedRuns(target).flatMap(({ pageComplete }) => pageComplete ?? []);
  const isGuess = answers.some(({ doubts = [] }) => doubts.some(({ code }) => code === 'background-unproved'));
  if (isGuess || isUnproved(target.result)) return 'not proved';
  return answers.some(({ doubt }) => doubt === 'doubtful') ? 'doubtful' : undefined;
}

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
        <span key={verdict} class={`tally ${LOOKS[verdict][0]}`}>
          {whole(text)}
          {index < tally.length - 1 ? ', ' : end}
        </span>
      ))}
      {rest !== '' && ` ${whole(rest)}.`}
    </>
  );
}
