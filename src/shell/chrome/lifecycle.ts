import type { Mark } from '../../model/timeline.ts';

/** Marks by the names of CDP lifecycle events. */
export const LIFECYCLE: Readonly<Record<string, Mark['name']>> = {
  init: 'document-commit',
  DOMContentLoaded: 'dom-content-loaded',
  load: 'load',
  firstPaint: 'first-paint',
  firstContentfulPaint: 'first-contentful-paint',
};
