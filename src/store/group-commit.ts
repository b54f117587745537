export interface GroupCommit<Item> {
  /** It is handed over with what comes next, at the latest after a while. */
  add(item: Item): void;
  /** Somebody waits: what was added is handed over after this turn of the event loop. */
  hurry(): void;
  /** Resolves when everything added so far has been handed over and dealt with. */
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
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    for (await nextTurn(); waiting.length > 0; await nextTurn()) {
      const group = waiting;
      waiting = [];
      await commit(group);
    }
    running = undefined;
  }
  const hurry = (): void => {
    if (waiting.length > 0) running ??= run();
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
      if (running === undefined) timer ??= setTimeout(soon, patienceMs);
    },
    async drained() {
      hurry();
      await running;
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
