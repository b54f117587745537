import type { Shape } from "./content.ts";

/** Over `over`, `keep` is kept: bytes for texts, items for lists. */
export interface Cut {
  readonly over: number;
  readonly keep: number;
}

export type Cuts = Readonly<Record<Shape, Cut>>;

const KILOBYTE = 1024;

/** How answers are cut unless the engine is told otherwise; what the descriptions of tools say of their limits comes from here. */
export const DEFAULT_CUTS: Cuts = {
  text: { over: 10 * KILOBYTE, keep: 5 * KILOBYTE },
  file: { over: 10 * KILOBYTE, keep: 5 * KILOBYTE },
  list: { over: 1000, keep: 500 },
  matches: { over: 100, keep: 50 },
  log: { over: 10 * KILOBYTE, keep: 5 * KILOBYTE },
};
