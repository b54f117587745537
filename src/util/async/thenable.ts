/** Returns true for anything with a `then` method. */
export function isThenable<T>(value: T): value is T & PromiseLike<Awaited<T>> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
