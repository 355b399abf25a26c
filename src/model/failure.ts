/** Why a run could not be measured. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}
