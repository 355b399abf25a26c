import type { ComponentChildren, JSX } from 'preact';

/** A name with what is to be said of it. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values, one under the other; `look` is a class of the style sheet. */
export function Facts({ facts, look }: { readonly facts: readonly Fact[]; readonly look: string }): JSX.Element {
  return (
    <dl class={look}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
