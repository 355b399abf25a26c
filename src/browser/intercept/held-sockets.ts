/**
 * A script that runs in pages and workers, in their own world. The function is sent as text: it must not use anything
 * from outside itself.
 */

/**
 * Replaces `WebSocket` and `WebTransport`, which the protocol cannot intercept. A connection to a URL that matches one of
 * the patterns stays in the state "connecting" for ever; all others are the browser's own.
 */
export function holdSockets(patterns: readonly string[], matches: (pattern: string, url: string) => boolean): void {
  type Constructor = new (...args: never[]) => object;
  type Held = (url: string, prototype: object) => object;
  const scope = globalThis as unknown as Record<string, Constructor | undefined>;
  const define = (target: object, name: string, descriptor: PropertyDescriptor): void => {
    Object.defineProperty(target, name, { configurable: true, ...descriptor });
  };

  /** The URL that a constructor would connect to; undefined for one that it would refuse. */
  const addressOf = (given: unknown): string | undefined => {
    try {
      const url = new URL(String(given), 'document' in globalThis ? document.baseURI : location.href);
      return url.hash === '' ? url.href : undefined;
    } catch {
      return undefined;
    }
  };

  const replace = (name: string, scheme: (url: string) => string | undefined, held: Held): void => {
    const native = scope[name];
    if (native === undefined) return;
    const replacement = new Proxy(native, {
      construct(target, args: never[], newTarget) {
        const address = addressOf(args[0]);
        const url = address === undefined ? undefined : scheme(address);
        const isHeld = url !== undefined && patterns.some((pattern) => matches(pattern, url));
        return isHeld ? held(url, newTarget.prototype as object) : Reflect.construct(target, args, newTarget);
      },
    });
    define(native.prototype as object, 'constructor', { value: replacement, writable: true });
    define(globalThis, name, { value: replacement, writable: true });
  };

  /** An event target with the prototype of a socket. The prototype's accessors would throw for it, so it has its own. */
  const heldSocket: Held = (url, prototype) => {
    const socket = Object.setPrototypeOf(new EventTarget(), prototype) as EventTarget;
    let state = 0;
    let binaryType = 'blob';
    for (const type of ['open', 'message', 'error', 'close']) {
      let handler: unknown = null;
      socket.addEventListener(type, (event) => {
        if (typeof handler === 'function') handler.call(socket, event);
      });
      define(socket, `on${type}`, {
        get: () => handler,
        set: (value: unknown) => {
          handler = typeof value === 'function' ? value : null;
        },
      });
    }
    define(socket, 'url', { get: () => url });
    define(socket, 'readyState', { get: () => state });
    define(socket, 'bufferedAmount', { get: () => 0 });
    define(socket, 'extensions', { get: () => '' });
    define(socket, 'protocol', { get: () => '' });
    define(socket, 'binaryType', {
      get: () => binaryType,
      set: (value: unknown) => {
        if (value === 'blob' || value === 'arraybuffer') binaryType = value;
      },
    });
    define(socket, 'send', {
      value: () => {
        if (state === 0) throw new DOMException('Still in CONNECTING state.', 'InvalidStateError');
      },
    });
    define(socket, 'close', {
      value: () => {
        if (state >= 2) return;
        state = 2;
        // Closing while connecting fails the connection. Source: WebSockets standard, "close()", step 4.
        setTimeout(() => {
          state = 3;
          socket.dispatchEvent(new Event('error'));
          socket.dispatchEvent(new CloseEvent('close', { code: 1006, wasClean: false }));
        }, 0);
      },
    });
    return socket;
  };

  const heldTransport: Held = (_url, prototype) => {
    const transport = Object.create(prototype) as object;
    let refuse = (_reason: unknown): void => undefined;
    const never = new Promise<never>((_, reject) => {
      refuse = reject;
    });
    // A page that does not use these promises must not get an unhandled rejection.
    never.catch(() => undefined);
    const datagrams = { readable: new ReadableStream(), writable: new WritableStream(), maxDatagramSize: 1024 };
    define(transport, 'ready', { get: () => never });
    define(transport, 'closed', { get: () => never });
    define(transport, 'draining', { get: () => new Promise(() => undefined) });
    define(transport, 'datagrams', { value: datagrams });
    for (const name of ['incomingBidirectionalStreams', 'incomingUnidirectionalStreams']) {
      define(transport, name, { value: new ReadableStream() });
    }
    for (const name of ['createBidirectionalStream', 'createUnidirectionalStream']) {
      define(transport, name, { value: () => never });
    }
    define(transport, 'close', {
      value: () => refuse(new DOMException('The session was closed while connecting.', 'InvalidStateError')),
    });
    return transport;
  };

  const asSocket = (url: string): string | undefined => {
    const socketUrl = url.replace(/^http/, 'ws');
    return /^wss?:/.test(socketUrl) ? socketUrl : undefined;
  };
  replace('WebSocket', asSocket, heldSocket);
  replace('WebTransport', (url) => (url.startsWith('https:') ? url : undefined), heldTransport);
}
