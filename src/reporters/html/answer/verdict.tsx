import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/result/report.ts';
import type { Judgement } from '../../../report/judgement.ts';
import { answerParts } from '../../../wording/completion/completion.ts';
import { sentence } from '../components/part.tsx';

/** A sentence whose intervals stay on one line: "1.21–" at the end of one would be half a figure. */
const unbroken = (text: string): readonly (string | JSX.Element)[] =>
  sentence(text)
    .split(/([\d.,]+–[\d.,]+\u00a0(?:ms|s))/)
    .map((piece, index) =>
      index % 2 === 0 ? (
        piece
      ) : (
        <span key={index} class="whole">
          {piece}
        </span>
      ),
    );

/** The answer in a sentence, its time in the colour of the verdict. */
export function Statement(props: {
  readonly target: TargetReport;
  /** The heading of the whole page; else the page it is about has a heading already. */
  readonly only: boolean;
  readonly analysis: boolean;
  readonly tone: Judgement['tone'];
}): JSX.Element {
  const { target, only, analysis, tone } = props;
  const { sentence: first, result, representative } = target;
  const Name = only ? 'h1' : 'p';
  return (
    <Name class={first.length > 110 || /\S{40}/.test(first) ? 'statement long' : 'statement'}>
      {answerParts({ result, representative, analysis }).map(({ text, is }, index) =>
        is === 'figure' ? (
          <b key={index} class={`figure ${tone}`}>
            {sentence(text)}
          </b>
        ) : is === 'basis' ? (
          <span key={index} class="aside">
            {unbroken(text)}
          </span>
        ) : (
          sentence(text)
        ),
      )}
    </Name>
  );
}
