/** Which of the two builds a run loaded. */
export type Build = 'base' | 'candidate';
