/**
 * A script that runs inside pages and workers, in their own world. It is a function turned to text: it must not use
 * anything from outside itself.
 */

/**
 * Puts a stand-in before `WebSocket` and `WebTransport`, which the protocol's interception does not reach: what goes to
 * a URL that matches one of the patterns stays in the state of connecting for ever, all else is the browser's own.
 */
export function holdSockets(patterns: readonly string[], matches: (pattern: string, url: string) => boolean): void {
  type Constructor = new (...args: never[]) => object;
  type Held = (url: string, prototype: object) => object;
  const scope = globalThis as unknown as Record<string, Constructor | undefined>;
  const define = (target: object, name: string, descriptor: PropertyDescriptor): void => {
    Object.defineProperty(target, name, { configurable: true, ...descriptor });
  };

  /** The address that a constructor would connect to; undefined for what it would refuse itself. */
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
    const standIn = new Proxy(native, {
      construct(target, args: never[], newTarget) {
        const address = addressOf(args[0]);
        const url = address === undefined ? undefined : scheme(address);
        const isHeld = url !== undefined && patterns.some((pattern) => matches(pattern, url));
        return isHeld ? held(url, newTarget.prototype as object) : Reflect.construct(target, args, newTarget);
      },
    });
    define(native.prototype as object, 'constructor', { value: standIn, writable: true });
    define(globalThis, name, { value: standIn, writable: true });
  };

  /** An event target with the prototype of a socket; the prototype's own accessors would refuse it, so it has its own. */
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
        // Giving up while connecting fails the connection. Source: WebSockets standard, "close()", step 4.
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
    // A page that does not look at these promises shall not be told of a rejection that nobody handled.
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
