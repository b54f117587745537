import type { Price } from "../../core/agent/model.ts";
import type { Effort } from "./sdk.ts";
import type { DialectName } from "../text-calls/dialects/dialects.ts";

/** How often a request that failed for a reason that may pass is made again. */
export interface RetryOptions {
  /** All in all, the first included. */
  readonly attempts?: number;
  readonly firstWaitMs?: number;
  /** A provider that asks for a longer wait than this is not asked again. */
  readonly maxWaitMs?: number;
  /** From 0 to 1: spreads the waits of many. */
  readonly random?: () => number;
}

export interface ModelOptions {
  /** Where keys such as ANTHROPIC_API_KEY are looked for. Nothing else is. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How many tokens a request and its answer may have together, where the table does not know it. */
  readonly window?: number;
  readonly price?: Price;
  /** `native` calls are the default; with a dialect's name, calls are written and read as text; `auto` is native and `leaks`. */
  readonly dialect?: DialectName | "auto" | "native";
  /** Whether calls of known tools that a native model writes into its text are found there. */
  readonly leaks?: boolean;
  readonly reasoning?: Effort;
  readonly retry?: RetryOptions;
  readonly fetch?: typeof fetch;
  /** How long a provider may be silent before its answer is given up. */
  readonly timeoutMs?: number;
}
