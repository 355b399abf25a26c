import type { ConnectionFault } from '../../model/browser-fault.ts';
import { connectionFaultInWords } from '../../wording/browser-faults.ts';

/** A running browser that cannot be measured in, with the reason. */
export class ConnectionError extends Error {
  readonly fault: ConnectionFault;

  constructor(fault: ConnectionFault) {
    super(connectionFaultInWords(fault));
    this.name = 'ConnectionError';
    this.fault = fault;
  }
}
