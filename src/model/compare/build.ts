/** The two builds, in the order in which they are named. */
export const BUILDS = ['base', 'candidate'] as const satisfies readonly string[];

/** Which of the two builds a run loaded. */
export type Build = (typeof BUILDS)[number];

/** One thing for each build. */
export type PerBuild<T> = Readonly<Record<Build, T>>;
