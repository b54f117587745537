import type { JsonObject } from "../../core/json.ts";
import type { ModelFormat, ModelRequest } from "../../core/agent/model.ts";
import type { Shows } from "./attachments.ts";
import type { SdkModel } from "../answer/sdk.ts";

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

/** What can be said to a provider, and how. */
export interface Manner {
  /** What a message of the user can carry beside text. */
  readonly shows: Shows;
  /** Whether a result carries these too, or a message after it does. */
  readonly resultsShow: boolean;
  /** Whether a failed result is marked as one beside its text. */
  readonly marksFailures: boolean;
  /** Whether ids of calls must be of letters and digits, and short. */
  readonly narrowIds: boolean;
  /** Whether an answer can be bound to a schema while tools are offered. */
  readonly schemaBesideTools: boolean;
  /** Tools are said not to be strict, where saying nothing means the opposite. */
  readonly saysNotStrict?: boolean;
  /** Whether the conversation so far is marked to be kept by the provider. */
  readonly marksCache?: boolean;
  /** What the provider's package is told beside the request. */
  readonly settings: (request: ModelRequest, window: number) => JsonObject;
  /** Whether the settings above say the temperature and the length of the answer. */
  readonly settingsSayAll?: boolean;
}

/** Who serves models. */
export interface Provider {
  readonly format: ModelFormat;
  /** The variables that may hold its key, the usual one first. */
  readonly keys: readonly string[];
  readonly needsKey: boolean;
  /** The variable that may hold its address. */
  readonly addressKey?: string;
  /** Where it usually is; undefined where that must be said. */
  readonly address?: string;
  /** Whether its models are known to write calls into their text. */
  readonly leaks: boolean;
  readonly manner: Manner;
  /** Loads the provider's package. */
  open(connection: Connection): Promise<SdkModel>;
}
