import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { CallRequest } from "./call-types.ts";

/** The parameters of a `tools/call` request. */
export interface CallParams extends Pick<CallRequest, "name" | "input"> {
  readonly progressToken: Json | undefined;
  readonly traceparent: Json | undefined;
}

/** Returns the parameters of a `tools/call` request; undefined if they are malformed, for the SDK's server to refuse. */
export function readCallParams(params: unknown): CallParams | undefined {
  const { name, arguments: input = {}, _meta: meta = {} }: JsonObject = isObject(params) ? params : {};
  if (typeof name !== "string" || !isObject(input) || !isObject(meta)) return undefined;
  return { name, input, progressToken: meta["progressToken"], traceparent: meta["traceparent"] };
}

/** Returns the id of the request that a message cancels; undefined if it is another message. */
export function cancelledBy(message: unknown): string | number | undefined {
  const { id: own, method, params } = isObject(message) ? message : {};
  if (own !== undefined || method !== "notifications/cancelled" || !isObject(params)) return undefined;
  const id = params["requestId"];
  return isId(id) ? id : undefined;
}

/** Returns true for an id that a request may have. */
export function isId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isSafeInteger(id);
}
