import type { JsonObject } from "../../core/json.ts";
import type { ModelFormat } from "../../core/agent/model.ts";
import type { KnownModels } from "./known-models.ts";
import type { Accepts } from "./attachments.ts";
import type { SdkModel } from "./sdk.ts";

/** What a provider's package is opened with. */
export interface Connection {
  readonly provider: string;
  /** The model's name at the provider. */
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

/** What a provider accepts in a request. */
export interface Capabilities {
  /** Which attachments a user message may carry. */
  readonly accepts: Accepts;
  /** Whether a tool result may carry them too; otherwise they follow in a user message. */
  readonly filesInResults: boolean;
  /** Whether a failed result is marked as an error beside its text. */
  readonly marksErrors: boolean;
  /** Whether call ids must be short and consist of letters, digits, `_` and `-`. */
  readonly shortCallIds: boolean;
  /** Whether an answer can be bound to a schema while tools are offered. */
  readonly schemaWithTools: boolean;
  /** Whether tools must say that they are not strict, because strict is the provider's default. */
  readonly sendsStrictFalse?: boolean;
  /** Whether the package gets tool schemas as they are, because its requests cannot be rewritten. */
  readonly hasPlainSchemas?: boolean;
  /** Whether the conversation so far is marked for the provider's prompt cache. */
  readonly marksCache?: boolean;
  /**
   * How a result brings tools that the model has activated, after everything that is cached: by reference to a tool of the request
   * that is marked as deferred, or with their definitions. Undefined: they are appended to the tools of the request.
   */
  readonly bringsTools?: "references" | "definitions";
  /** Settings for the provider's package, by its name. */
  readonly settings?: (window: number) => JsonObject;
}

/** A service that models are requested from. */
export interface Provider {
  readonly format: ModelFormat;
  /** The variables that may hold its key, the usual one first. */
  readonly keys: readonly string[];
  readonly needsKey: boolean;
  /** The variable that may hold its address. */
  readonly addressKey?: string;
  /** The default address; undefined if there is none. */
  readonly address?: string;
  /** How a server of it is started on this machine. */
  readonly startHint?: string;
  /** Whether its models are known to write calls into their text. */
  readonly leaks: boolean;
  /** The names of models that are documented to take tools in the middle of a conversation: see `Capabilities.bringsTools`. */
  readonly defersTools?: RegExp;
  /** Windows and prices of its models, as documented. */
  readonly known?: KnownModels;
  /** Context windows of models that are not known, by their names; the first match counts. */
  readonly windows?: readonly (readonly [RegExp, number])[];
  readonly capabilities: Capabilities;
  /** Loads the provider's package. */
  open(connection: Connection): Promise<SdkModel>;
}
