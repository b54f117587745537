import type { Price } from "../../core/agent/model.ts";
import type { DialectName } from "../text-calls/dialects/dialects.ts";

/** How much a model should reason, if its provider lets a request say so. */
export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** How often a request that failed for a temporary reason is repeated. */
export interface RetryOptions {
  /** Total number of attempts, including the first. */
  readonly attempts?: number;
  /** The longest wait before the second attempt, doubled before each further one; a wait is random, from half of that. Default: 1000. */
  readonly firstWaitMs?: number;
  /** A provider that asks for a longer wait than this is not retried. */
  readonly maxWaitMs?: number;
  /** Returns a number from 0 to 1 that spreads the waits. */
  readonly random?: () => number;
}

/** How a model of a provider is reached. */
export interface ModelOptions {
  /** Variables such as ANTHROPIC_API_KEY. The environment of the process is never read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The address of the API. Default: the provider's. */
  readonly baseUrl?: string;
  /** Default: the provider's variable in `environment`. */
  readonly apiKey?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Context window in tokens (request and answer together); default: what is documented for the model. */
  readonly window?: number;
  /** Default: what is documented for the model, if it is requested at its provider's own address. */
  readonly price?: Price;
  /** `native` (the default), the name of a text dialect, or `auto`: native calls, plus calls in any dialect found in the text. */
  readonly dialect?: DialectName | "auto" | "native";
  /** Whether calls of known tools that a model with native calls writes into its text are found. */
  readonly leaks?: boolean;
  /** Whether the model's prompt opens the reasoning, so that its text begins inside it; default: by the name of the model. */
  readonly startsInReasoning?: boolean;
  /** Whether damaged calls in its text are repaired; default: true. */
  readonly repair?: boolean;
  /**
   * Whether tools that the model activates are sent as the provider's deferred tools, so that its prompt cache stays valid. Default: by
   * the name of the model; false for a server between that does not know them.
   */
  readonly defersTools?: boolean;
  /** Default: the provider's. */
  readonly reasoning?: Effort;
  /** How requests that failed for a temporary reason are repeated. */
  readonly retry?: RetryOptions;
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** How long a provider may send nothing before the request fails. */
  readonly timeoutMs?: number;
  /** The folder in which the relative path of a scripted model begins; default: the current one. */
  readonly folder?: string;
}
