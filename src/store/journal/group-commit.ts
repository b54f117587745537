export interface GroupCommit<Item> {
  /** Queues an item for the next group, which is committed after `maxWaitMs` at the latest. */
  add(item: Item): void;
  /** Commits the queued items after this turn of the event loop: a caller is waiting. */
  hurry(): void;
  /** Resolves when everything queued so far has been committed. */
  drained(): Promise<void>;
}

/** How long items are queued if no caller waits for them. */
const MAX_WAIT_MS = 100;

/** Passes all queued items to `commit` together, one group at a time. `commit` must not reject. */
export function createGroupCommit<Item>(
  commit: (group: readonly Item[]) => Promise<void>,
  maxWaitMs = MAX_WAIT_MS,
): GroupCommit<Item> {
  let waiting: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** True while a commit of the queued items is scheduled. */
  let isHurried = false;
  let last = Promise.resolve();

  const commitNext = async (before: Promise<void>): Promise<void> => {
    await Promise.all([before, nextTurn()]);
    const group = waiting;
    waiting = [];
    isHurried = false;
    await commit(group);
  };
  const hurry = (): void => {
    if (isHurried || waiting.length === 0) return;
    isHurried = true;
    last = commitNext(last);
  };
  const soon = (): void => {
    timer = undefined;
    hurry();
  };

  return {
    hurry,
    add(item) {
      waiting.push(item);
      // Not unreferenced: the process lives until the commit. Never cleared: an idle timer costs less than a new one.
      timer ??= setTimeout(soon, maxWaitMs);
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
