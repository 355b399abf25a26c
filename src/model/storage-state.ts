/** What a browser keeps of a visit, as Playwright saves it: `context.storageState({ path, indexedDB: true })`. */
export interface StorageState {
  readonly cookies: readonly StateCookie[];
  readonly origins: readonly OriginState[];
}

/** A cookie. */
export interface StateCookie {
  readonly name: string;
  readonly value: string;
  /** With a dot in front where subdomains get it, too. */
  readonly domain: string;
  readonly path: string;
  /** Seconds since the Unix epoch; -1 or absent for the end of the session. */
  readonly expires?: number;
  readonly httpOnly?: boolean;
  readonly secure?: boolean;
  readonly sameSite?: 'Strict' | 'Lax' | 'None';
  /** The site in which it was set, of a partitioned cookie. */
  readonly partitionKey?: string;
}

/** An item of local or session storage. */
export interface StateItem {
  readonly name: string;
  readonly value: string;
}

/** What is kept for one origin. */
export interface OriginState {
  readonly origin: string;
  readonly localStorage: readonly StateItem[];
  /** Playwright does not save it; who needs it writes it into the file. */
  readonly sessionStorage?: readonly StateItem[];
  readonly indexedDB?: readonly StateDatabase[];
}

/** A database of IndexedDB. */
export interface StateDatabase {
  readonly name: string;
  readonly version: number;
  readonly stores: readonly {
    readonly name: string;
    readonly autoIncrement: boolean;
    readonly keyPath?: string;
    readonly keyPathArray?: readonly string[];
    /** Keys and values are JSON, or encoded where they are more than that. */
    readonly records: readonly {
      readonly key?: unknown;
      readonly keyEncoded?: unknown;
      readonly value?: unknown;
      readonly valueEncoded?: unknown;
    }[];
    readonly indexes: readonly {
      readonly name: string;
      readonly keyPath?: string;
      readonly keyPathArray?: readonly string[];
      readonly multiEntry: boolean;
      readonly unique: boolean;
    }[];
  }[];
}
