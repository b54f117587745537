import type { DatabaseSync } from "node:sqlite";

/** Forgets calls that are too old and have their answer; never one that is open. Opens no transaction of its own. */
export interface Forgetting {
  /** Some of them, the oldest first. */
  forget(): void;
  /** The same now and then, as calls are written under these numbers. */
  heed(numbers: readonly (number | "refused")[]): void;
}

/** So few at a time that nobody waits for it, and more of them than are written meanwhile, by whomever. */
const FORGET_EVERY = 100;
const FORGET_ROWS = 200;

/** Without an age nothing is ever forgotten. */
export function createForgetting(database: DatabaseSync, maxAgeMs: number | undefined): Forgetting {
  if (maxAgeMs === undefined) return { forget: () => undefined, heed: () => undefined };
  const oldest = database.prepare("SELECT received_at FROM calls ORDER BY id LIMIT 1");
  const remove = database.prepare(
    `DELETE FROM calls WHERE id IN
       (SELECT id FROM (SELECT id, state, received_at FROM calls ORDER BY id LIMIT ?2)
        WHERE state <> 'open' AND received_at < ?1)`,
  );
  const forget = (): void => {
    const before = Date.now() - maxAgeMs;
    // Mostly there is nothing to forget, and one look is enough to know.
    const first = oldest.get();
    if (first !== undefined && Number(first["received_at"]) < before) remove.run(before, FORGET_ROWS);
  };
  return {
    forget,
    heed(numbers) {
      if (numbers.some((number) => number !== "refused" && number % FORGET_EVERY === 0)) forget();
    },
  };
}
