import type { Shape } from "./content.ts";

/** An answer larger than `over` is truncated to `keep`: bytes for texts, items for lists. */
export interface Cut {
  readonly over: number;
  readonly keep: number;
}

/** The limits of truncation for each shape. */
export type Cuts = Readonly<Record<Shape, Cut>>;

const KILOBYTE = 1024;

/** How answers are truncated by default; the descriptions of tools state these limits. */
export const DEFAULT_CUTS: Cuts = {
  text: { over: 10 * KILOBYTE, keep: 5 * KILOBYTE },
  file: { over: 10 * KILOBYTE, keep: 5 * KILOBYTE },
  list: { over: 1000, keep: 500 },
  matches: { over: 100, keep: 50 },
  log: { over: 10 * KILOBYTE, keep: 5 * KILOBYTE },
};
