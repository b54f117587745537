import type { Progress } from "../core/context.ts";
import type { JsonObject } from "../core/json.ts";
import type { ToolResult } from "../core/result.ts";
import { integer, object, optional, string, type Infer, type Schema } from "../schema/define/schema.ts";

/** The longest time limit of a call. */
export const MAX_TIMEOUT_MS = 86_400_000;

const anyObject: Schema<JsonObject> = { type: "object", additionalProperties: true };

/** A call for a tool server: `tool` and `params` are enough. */
export const REMOTE_JOB = object({
  tool: string("The name of a tool", { min: 1 }),
  params: anyObject,
  id: optional(string("The id of the call, with which it can be cancelled; default: a new one", { min: 1 })),
  session: optional(string("Calls of a session share terminals and background processes")),
  proxy: optional(
    object(
      {
        url: string("Its URL, with the password", { min: 1 }),
        certificate: string("The certificate of its authority, as PEM"),
        spki: string("The base64 SHA-256 of the authority's public key"),
      },
      "The intercepting proxy that programs use",
    ),
  ),
  timeout_ms: optional(integer("The time limit; default: the tool's own", { min: 1, max: MAX_TIMEOUT_MS })),
});
export type RemoteJob = Infer<typeof REMOTE_JOB>;

/**
 * A call that another process runs: one JSON document for a tool server; for a worker of the fleet a signed head (see `JobHead`), with
 * the input as the body of the message.
 */
export type RemoteCall = RemoteJob & { readonly id: string };

/** What a tool server sends while a call runs. The result is the last event. */
export interface ServerEvents {
  readonly progress: Progress;
  /** A piece of a long output, for an artifact of the host; the result names it by this id. */
  readonly artifact: { readonly id: string; readonly text: string };
  readonly result: ToolResult;
}

/** What an engine writes to its tool server, one JSON document a line: a call, or the id of one that shall end. */
export type EngineLine = RemoteCall | { readonly cancel: string };

/** What such a server writes, after the line `READY`: the id of a call, and its event. Each call ends with `result` or `refused`. */
export type ServerLine = {
  readonly [Type in keyof LineEvents]: readonly [id: string, type: Type, data: LineEvents[Type]];
}[keyof LineEvents];

interface LineEvents extends ServerEvents {
  /** Why the call was not run. */
  readonly refused: string;
}

export const READY = "ready";

export function toLine<T extends keyof LineEvents>(id: string, type: T, data: LineEvents[T]): string {
  return `${JSON.stringify([id, type, data])}\n`;
}

/** The longest request and the longest event. */
export const MAX_WIRE_BYTES = 32 * 1024 * 1024;

/** Returns a server-sent event, with the type as its name. */
export function toEvent<T extends keyof ServerEvents>(type: T, data: ServerEvents[T]): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
