import { configureGlobal, readConfigureGlobal } from "fast-check";

// Loaded before the tests (`--import`). Usual runs use a fixed seed, so that a failure is one of the change and not of chance; long
// runs use a random seed, or the one in TOOLWRIGHT_SEED, and more examples.

const FIXED_SEED = 20_261_115;
/** Whether this run tries everything (`npm run test:long`) and not a part. */
export const isLong: boolean = process.env["TOOLWRIGHT_LONG"] === "1";
/** Whether a few examples suffice: the tests are run again for each mutant (`npm run mutate`). */
const isBrief = process.env["TOOLWRIGHT_BRIEF"] === "1";
const given = process.env["TOOLWRIGHT_SEED"];

/** The seed of every property in this process. A failed property prints it. */
export const seed: number =
  given === undefined ? (isLong ? Date.now() % 2 ** 31 : FIXED_SEED) : Number(given);

configureGlobal({ ...readConfigureGlobal(), seed });

/**
 * Returns the number of examples for a property: twenty times the count in a long run, a tenth for a mutant. A usual run tries the same
 * examples each time, so that a third finds almost as much: it is the long runs that look for new ones.
 */
export function runs(count: number): number {
  if (isLong) return count * 20;
  return Math.ceil(count / (isBrief ? 10 : 3));
}
