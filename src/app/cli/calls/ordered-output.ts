/**
 * Creates an output that passes values on in the order of their promises, whichever settles first. `push` waits while the values
 * that are not yet passed on weigh `capacity` or more.
 */
export function createOrderedOutput<T>(capacity: number, write: (value: T) => Promise<void>) {
  const blocked: (() => void)[] = [];
  let pending = 0;
  let last: Promise<void> = Promise.resolve();
  const passOn = async (before: Promise<void>, value: Promise<T>, weight: number): Promise<void> => {
    await before;
    await write(await value);
    pending -= weight;
    if (pending < capacity) for (const resume of blocked.splice(0)) resume();
  };
  return {
    /** Adds a promise that must not reject, and its weight; settles when there is room for another. */
    push(value: Promise<T>, weight: number): Promise<void> {
      pending += weight;
      last = passOn(last, value, weight);
      return pending < capacity ? Promise.resolve() : new Promise((resolve) => blocked.push(resolve));
    },
    /** Settles when every value has been passed on. */
    finish: (): Promise<void> => last,
  };
}
