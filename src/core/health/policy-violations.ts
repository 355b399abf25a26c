import type { Check } from './check.ts';

/** Scripts and styles in the document that the page's own content security policy refused. Without a script it cannot work. */
export const policyViolations: Check = ({ recording }) => {
  const alike = Map.groupBy(recording.policyViolations ?? [], ({ directive }) => directive);
  return [...alike].map(([directive, { length: times }]) => ({
    code: 'blocked-by-policy',
    urls: [],
    facts: { directive, times, isBroken: /^(?:script|default)-src/.test(directive) },
  }));
};
