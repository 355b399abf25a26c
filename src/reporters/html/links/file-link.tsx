import { type ComponentChildren, createContext, type JSX } from 'preact';

/** The way from a page to the folder of the result: nothing where it lies there, `../../` for one of many pages. */
export const ResultFolder = createContext('');

/** A link to a file that lies beside the result. */
export function FileLink(props: {
  /** Relative to the result, and safe to follow. */
  readonly href: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { href, children, ...rest } = props;
  return (
    <ResultFolder.Consumer>
      {(way: string) => (
        <a {...rest} href={way + href}>
          {children}
        </a>
      )}
    </ResultFolder.Consumer>
  );
}
