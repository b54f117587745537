import type { JsonObject } from "../../core/json.ts";

/** What MCP servers behind us offer besides tools. Everything is in the protocol's own form and passed on as it is. */
export interface UpstreamMcp {
  /** Under names that are unique here, `server:prompt`. */
  prompts(signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Undefined for a prompt that nobody has. */
  getPrompt(
    name: string,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined>;
  resources(signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Undefined for an address that nobody knows. */
  readResource(uri: string, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** Addresses with blanks; left out: there are none. */
  templates?(signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Values for an argument that begins like this; left out: none are offered. */
  complete?(request: JsonObject, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** Calls back when what is behind the address has changed, until what it gives back is called; undefined where it cannot tell. */
  subscribe?(uri: string, updated: () => void, signal: AbortSignal): Promise<(() => void) | undefined>;
  /** Calls back when a list would be another now; gives back the way to stop. */
  watch?(changed: (what: "prompts" | "resources") => void): () => void;
}
