import type { ComponentChildren, JSX } from 'preact';
import type { DecisionHeadline } from '../../../report/comparison.ts';

/** The decision in a word, and then in a sentence. */
export function Headline(props: {
  readonly verdict: DecisionHeadline;
  /** Behind the word, such as whether the gate fails. */
  readonly remarks?: ComponentChildren;
  /** A long sentence is set smaller. */
  readonly isLong?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { verdict, remarks, isLong, children } = props;
  return (
    <>
      <p class={`verdict ${verdict.tone}`}>
        <span aria-hidden="true">{verdict.sign}</span> {verdict.word}
        {remarks}
      </p>
      <h1 class={isLong ? 'statement long' : 'statement'}>{children}</h1>
    </>
  );
}
