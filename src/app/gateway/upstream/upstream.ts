import type { JsonObject } from "../../../core/json.ts";

/** Says what a client may have, before the server behind us hears of it. Both throw a `ToolError` where it may not. */
export interface Admission {
  /** By the name that the prompt has here. */
  admitPrompt(server: string, name: string): void;
  admitResource(place: ResourcePlace): Promise<void>;
}

/** What MCP servers behind us offer besides tools. Everything is in the protocol's own form and passed on as it is. */
export interface UpstreamMcp {
  /** Under names that are unique here, `server__prompt`. */
  prompts(signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Undefined for a prompt that nobody has. */
  getPrompt(
    name: string,
    values: Readonly<Record<string, string>>,
    admission: Admission,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined>;
  /** Under their own addresses; where two servers have the same one, that of the second is `mcp:SERVER/ADDRESS`. */
  resources(signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Addresses with blanks. */
  templates(signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Who has a resource; undefined for an address that nobody knows, or that several may have. It is read under policy, as a call. */
  locate(uri: string, signal: AbortSignal): Promise<ResourcePlace | undefined>;
  /** Values for an argument that begins like this; undefined where none are offered. */
  complete(request: JsonObject, admission: Admission, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** Calls back when what is behind the address has changed, until what it gives back is called; undefined where it cannot tell. */
  subscribe(
    uri: string,
    updated: () => void,
    admission: Admission,
    signal: AbortSignal,
  ): Promise<(() => void) | undefined>;
  /** Calls back when a list would be another now; gives back the way to stop. */
  watch(changed: (what: "prompts" | "resources") => void): () => void;
  close(): void;
}

/** A resource by its server and the address that it has there. */
export interface ResourcePlace {
  readonly server: string;
  readonly uri: string;
}
