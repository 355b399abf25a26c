/**
 * What a command tells the program that started it, where that listens: Node's channel between a process and its child. The
 * steps of the Action take the reason from it, and not from a log in which pages and builds say what they like.
 */
export interface ToldProblem {
  /** One sentence. */
  readonly problem: string;
}
