import { setImmediate as nextTurn } from "node:timers/promises";

export interface GroupCommit<Item> {
  add(item: Item): void;
  /** Resolves when everything added so far has been handed over and dealt with. */
  drained(): Promise<void>;
}

/** Hands everything that was added in one turn of the event loop to `commit` together, one group at a time. `commit` must not reject. */
export function createGroupCommit<Item>(
  commit: (group: readonly Item[]) => Promise<void>,
): GroupCommit<Item> {
  let waiting: Item[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    for (await nextTurn(); waiting.length > 0; await nextTurn()) {
      const group = waiting;
      waiting = [];
      await commit(group);
    }
    running = undefined;
  }

  return {
    add(item) {
      waiting.push(item);
      running ??= run();
    },
    drained: async () => running,
  };
}
