/** Where the documents are. */
const ROOT = 'https://github.com/quiesce/quiesce/blob/main/docs';

/** The pages of the documents that a report links, where it uses their words. */
export const DOCS = {
  pageComplete: `${ROOT}/page-complete.md`,
  background: `${ROOT}/page-complete.md#what-is-background`,
  criticalPath: `${ROOT}/page-complete.md#the-critical-path`,
  metrics: `${ROOT}/read-the-answer.md#what-it-measures`,
  interactions: `${ROOT}/main-thread.md#interactions`,
  comparing: `${ROOT}/statistics.md#comparing-two-builds`,
  machine: `${ROOT}/statistics.md#the-measuring-machine`,
} as const;
