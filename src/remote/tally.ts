/** Reports that are alike as one line. */
export interface Tally {
  readonly add: (message: string) => void;
  /** Reports what was only counted so far. */
  readonly close: () => void;
}

const EVERY_MS = 60_000;

/** Creates a tally: the first message of a minute is a line, the others are counted and reported together at its end. */
export function createTally(warn: (line: string) => void, everyMs = EVERY_MS): Tally {
  let [count, last]: [number, string] = [0, ""];
  let timer: NodeJS.Timeout | undefined;
  const report = (): void => {
    timer = undefined;
    if (count === 1) warn(last);
    else if (count > 1) warn(`${count} times more, the last: ${last}`);
    if (count > 0) wait();
    count = 0;
  };
  const wait = (): void => {
    timer = setTimeout(report, everyMs).unref();
  };
  return {
    add(message) {
      if (timer === undefined) {
        warn(message);
        return wait();
      }
      count += 1;
      last = message;
    },
    close() {
      clearTimeout(timer);
      report();
      clearTimeout(timer);
    },
  };
}
