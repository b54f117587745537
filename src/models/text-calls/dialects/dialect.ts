import type { BareForm } from "./openings.ts";
import type { Style } from "./styles.ts";

/** A way of writing calls in text: what begins one, and how we write one ourselves. */
export interface Dialect {
  readonly name: string;
  /** Who writes it. */
  readonly models: string;
  /** Names of tags that begin a call. */
  readonly tags?: readonly string[];
  /** Names of special tokens that begin a call. */
  readonly tokens?: readonly string[];
  readonly bare?: readonly BareForm[];
  readonly style: Style;
}
