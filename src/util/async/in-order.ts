/** Hands values on in the order in which they were promised, whichever comes first. */
export interface InOrder<T> {
  /** Takes a promise that must not reject, and how much it takes up; settles when there is room for another. */
  push(value: Promise<T>, weight: number): Promise<void>;
  /** Settles when everything has been handed on. */
  finish(): Promise<void>;
}

/** Asks to wait while what is held, because something before it is not there yet, takes up `room` or more. */
export function createInOrder<T>(room: number, hand: (value: T) => Promise<void>): InOrder<T> {
  const blocked: (() => void)[] = [];
  let held = 0;
  let last: Promise<void> = Promise.resolve();
  const handOn = async (before: Promise<void>, value: Promise<T>, weight: number): Promise<void> => {
    await before;
    await hand(await value);
    held -= weight;
    if (held < room) for (const goOn of blocked.splice(0)) goOn();
  };
  return {
    push(value, weight) {
      held += weight;
      last = handOn(last, value, weight);
      return held < room ? Promise.resolve() : new Promise((resolve) => blocked.push(resolve));
    },
    finish: () => last,
  };
}
