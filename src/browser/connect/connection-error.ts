/** A running browser that cannot be measured in, with the reason, a clause. */
export class ConnectionError extends Error {
  /** It answered so instead of with a WebSocket. */
  readonly status: number | undefined;

  constructor(reason: string, status?: number) {
    super(reason);
    this.name = 'ConnectionError';
    this.status = status;
  }
}

/** What to do about a status that has one reason only. */
const STATUS_ADVICE: Readonly<Record<number, string>> = {
  200: ', and no WebSocket is there',
  401: ': it needs a login or a token in the address',
  403: ': it needs another login or token in the address',
};

/** The error for an answer that is no WebSocket. */
export const answeredStatus = (status: number): ConnectionError =>
  new ConnectionError(`it answered HTTP ${status}${STATUS_ADVICE[status] ?? ''}`, status);
