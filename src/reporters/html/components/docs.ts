import type { DocsSection } from '../../../wording/docs.ts';

/** The sections of the documents that explain a part of a report. */
export const DOCS = {
  networkIdle: 'faq.md#what-is-network-idle',
  background: 'faq.md#what-is-background-traffic',
  criticalPath: 'faq.md#what-is-the-critical-path',
  metrics: 'read-the-answer.md#what-it-measures',
  interactions: 'main-thread.md#interactions',
  comparing: 'faq.md#how-are-two-builds-compared',
  machine: 'statistics.md#the-measuring-machine',
} as const satisfies Record<string, DocsSection>;
