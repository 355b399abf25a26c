/**
 * Remembers what a function reads from an object, as long as that object lives. Requests, messages and headers never change, so
 * the answer cannot either; a live watcher judges the same ones again after every event.
 */
export function perObject<K extends object, V extends NonNullable<unknown>>(read: (object: K) => V): (object: K) => V {
  const known = new WeakMap<K, V>();
  return (object) => {
    const before = known.get(object);
    if (before !== undefined) return before;
    const value = read(object);
    known.set(object, value);
    return value;
  };
}
