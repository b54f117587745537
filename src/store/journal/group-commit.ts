export interface GroupCommit<Item> {
  /** It is handed over with what comes next, at the latest after a while. */
  add(item: Item): void;
  /** Somebody waits: what was added is handed over after this turn of the event loop. */
  hurry(): void;
  /** Resolves when everything added so far has been handed over and dealt with, whatever is added meanwhile. */
  drained(): Promise<void>;
}

/** How long what nobody waits for may lie. */
const PATIENCE_MS = 100;

/** Hands everything that was added to `commit` together, one group at a time. `commit` must not reject. */
export function createGroupCommit<Item>(
  commit: (group: readonly Item[]) => Promise<void>,
  patienceMs = PATIENCE_MS,
): GroupCommit<Item> {
  let waiting: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** True while what waits is about to be handed over. */
  let isHurried = false;
  let last = Promise.resolve();

  const handOver = async (before: Promise<void>): Promise<void> => {
    await Promise.all([before, nextTurn()]);
    const group = waiting;
    waiting = [];
    isHurried = false;
    await commit(group);
  };
  const hurry = (): void => {
    if (isHurried || waiting.length === 0) return;
    isHurried = true;
    last = handOver(last);
  };
  const soon = (): void => {
    timer = undefined;
    hurry();
  };

  return {
    hurry,
    add(item) {
      waiting.push(item);
      // The process lives until it is handed over. One that is not needed any more costs less than making it anew.
      timer ??= setTimeout(soon, patienceMs);
    },
    drained() {
      hurry();
      return last;
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
