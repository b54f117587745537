import { createKey, type Key } from "../../../core/context.ts";
import type { Json, JsonObject } from "../../../core/json.ts";

/** A log message of a server, in the form of the protocol. */
export interface ServerLog {
  /** The severity, as the server gave it. */
  readonly level: "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";
  /** The part of the server that logs; undefined if it did not say. */
  readonly logger?: string | undefined;
  /** The message: a text, or any JSON. */
  readonly data: Json;
}

/** Set by a gateway whose client supports sampling: its model answers, with the request and result of the protocol. */
export const ClientSampler: Key<(request: JsonObject, signal: AbortSignal) => Promise<JsonObject>> =
  createKey("McpClientSampler");

/** Set by a gateway: it receives the log messages of a server while the server is at the call. */
export const LogReceiver: Key<(log: ServerLog) => void> = createKey("McpLogReceiver");

/** Set by a gateway: called before the stream of the call is resumed, which its server has ended so that clients poll for the answer. */
export const StreamEnd: Key<() => void> = createKey("McpStreamEnd");
