/** Hands values on in the order in which they were promised, whichever comes first. */
export interface InOrder<T> {
  /** Takes a promise that must not reject; settles when there is room for another. */
  push(value: Promise<T>): Promise<void>;
  /** Settles when everything has been handed on. */
  finish(): Promise<void>;
}

/** Holds at most `room` values that wait for the ones before them. */
export function createInOrder<T>(room: number, hand: (value: T) => Promise<void>): InOrder<T> {
  const blocked: (() => void)[] = [];
  let held = 0;
  let last: Promise<void> = Promise.resolve();
  const handOn = async (before: Promise<void>, value: Promise<T>): Promise<void> => {
    await before;
    await hand(await value);
    held -= 1;
    blocked.shift()?.();
  };
  return {
    push(value) {
      held += 1;
      last = handOn(last, value);
      return held < room ? Promise.resolve() : new Promise((resolve) => blocked.push(resolve));
    },
    finish: () => last,
  };
}
