import type { Header } from './network/network.ts';
import type { StorageState } from './storage-state.ts';

/** A cookie that a load finds in its profile. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
}

/** A user name and a password. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

/** What gets a load into a page, and what it is kept from. */
export interface Access {
  /** Sent with every request to the target's own origin, and to no other. */
  readonly headers: readonly Header[];
  /** For the target's own host. */
  readonly cookies: readonly Cookie[];
  /** Given to the target's own origin when it asks, and to no other. */
  readonly basicAuth?: Login;
  /** What the browser has kept of an earlier visit: a login, mostly. */
  readonly state?: StorageState;
  /** URL patterns (`*` matches anything) whose requests are refused inside the browser. */
  readonly block: readonly string[];
  readonly ignoreCertificateErrors: boolean;
}
