import { DOCS_ADDRESS, EXPLANATIONS } from '../generated/docs.ts';

/** A section of the documents that explains something, such as 'fix.md#redirect'. */
export type DocsSection = keyof typeof EXPLANATIONS;

/** Where a section is on the web. */
export const docsAddress = (section: DocsSection): string => `${DOCS_ADDRESS}/${section}`;

/** What a section says first, as HTML of our own. */
export const explanation = (section: DocsSection): string => EXPLANATIONS[section];
