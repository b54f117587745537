import type {
  CallToolResult,
  Client,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  Progress,
  Transport,
} from "@modelcontextprotocol/client";
import type { ToolContext } from "../../../core/context.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { Sdk } from "./faults.ts";

/** Tool calls that bypass the SDK client, whose overhead exceeds most calls. All other messages stay with the client. */
export type QuickRequests = ReturnType<typeof createQuickRequests>;

interface Waiting {
  readonly resolve: (result: CallToolResult) => void;
  readonly reject: (error: unknown) => void;
  readonly onprogress: (progress: Progress) => void;
}

/** Intercepts the messages of a connected client. Its request ids are numbers; these are strings, so that no answer is mixed up. */
export function createQuickRequests(sdk: Sdk, transport: Transport, client: Client) {
  const waiting = new Map<unknown, Waiting>();
  const toClient = transport.onmessage?.bind(transport);
  let count = 0;
  const take = (message: JSONRPCMessage): boolean => {
    if ("method" in message) return isProgress(message, waiting);
    const one = waiting.get(message.id);
    if (one === undefined) return false;
    waiting.delete(message.id);
    if (isRefusal(message)) {
      const { code, message: text, data } = message.error;
      one.reject(sdk.ProtocolError.fromError(code, text, data));
    } else if ("result" in message && isResult(sdk, message.result)) one.resolve(message.result);
    else one.reject(new sdk.SdkError(sdk.SdkErrorCode.InvalidResult, "Invalid result for tools/call"));
    return true;
  };
  const onmessage: Transport["onmessage"] = (message, extra) => {
    if (!take(message)) toClient?.(message, extra);
  };
  Object.assign(transport, { onmessage });
  return {
    /** Rejects with the errors of the client; after an abort, with the reason of the signal once the server is notified. */
    callTool: (
      params: { readonly name: string; readonly arguments: JsonObject },
      call: Pick<ToolContext, "signal">,
      onprogress: (progress: Progress) => void,
    ): Promise<CallToolResult> =>
      new Promise((resolve, reject) => {
        count += 1;
        const id = `call-${count}`;
        const sent = { ...params, _meta: { progressToken: id } };
        // Sent first: everything else is prepared while the server works.
        const sending = transport.send({ jsonrpc: "2.0", id, method: "tools/call", params: sent });
        const { signal } = call;
        const cancel = (): void => {
          if (!waiting.delete(id)) return;
          const params = { requestId: id, reason: String(signal.reason) };
          void client.notification({ method: "notifications/cancelled", params }).catch(() => undefined);
          reject(signal.reason);
        };
        waiting.set(id, { onprogress, resolve, reject });
        // Never removed: the signal belongs to the call and is collected with it.
        signal.addEventListener("abort", cancel, { once: true });
        if (signal.aborted) cancel();
        sending.catch((error: unknown) => {
          waiting.delete(id);
          reject(error);
        });
      }),
    /** Rejects all waiting calls: the connection is closed. */
    close(): void {
      for (const one of waiting.values())
        one.reject(new sdk.SdkError(sdk.SdkErrorCode.ConnectionClosed, "Connection closed"));
      waiting.clear();
    },
  };
}

/** Passes on the progress of a waiting call; returns false for any other message. */
function isProgress(message: JSONRPCMessage, waiting: ReadonlyMap<unknown, Waiting>): boolean {
  if (!("method" in message) || message.method !== "notifications/progress") return false;
  const { params } = message;
  const one = isObject(params) ? waiting.get(params["progressToken"]) : undefined;
  if (one === undefined || !isObject(params) || typeof params["progress"] !== "number") return false;
  const { progress, total, message: text } = params;
  one.onprogress({
    progress,
    ...(typeof total === "number" && { total }),
    ...(typeof text === "string" && { message: text }),
  });
  return true;
}

/** Returns true for a well-formed error: the message is not validated yet. */
function isRefusal(message: JSONRPCMessage): message is JSONRPCErrorResponse {
  const error: unknown = "error" in message ? message.error : undefined;
  return isObject(error) && typeof error["code"] === "number" && typeof error["message"] === "string";
}

/** Validates a result; the common case of text blocks is checked without the SDK. */
function isResult(sdk: Sdk, result: unknown): result is CallToolResult {
  const { content, isError } = isObject(result) ? result : {};
  const isFlag = isError === undefined || typeof isError === "boolean";
  if (isFlag && Array.isArray(content) && content.length > 0 && content.every(isText)) return true;
  return Array.isArray(content) && sdk.isSpecType.CallToolResult(result);
}

function isText(block: unknown): boolean {
  return isObject(block) && block["type"] === "text" && typeof block["text"] === "string";
}
