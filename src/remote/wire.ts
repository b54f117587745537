import type { Progress } from "../core/context.ts";
import type { JsonObject } from "../core/json.ts";
import type { ToolResult } from "../core/result.ts";
import { integer, object, optional, string, type Infer, type Schema } from "../schema/define/schema.ts";

/** The longest time limit of a call. */
export const MAX_TIMEOUT_MS = 86_400_000;

const anyObject: Schema<JsonObject> = { type: "object" };

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

/** What a tool server sends while a call runs, as server-sent events with the type as their name. The result is the last one. */
export interface ServerEvents {
  readonly progress: Progress;
  /** A piece of a long output, for an artifact of the host; the result names it by this id. */
  readonly artifact: { readonly id: string; readonly text: string };
  readonly result: ToolResult;
}

/** The longest request and the longest event. */
export const MAX_WIRE_BYTES = 32 * 1024 * 1024;

export function toEvent<T extends keyof ServerEvents>(type: T, data: ServerEvents[T]): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
