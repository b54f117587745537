import type {
  CallToolResult,
  Client,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  Progress,
  Transport,
} from "@modelcontextprotocol/client";
import type { ToolContext } from "../../../core/context.ts";
import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import type { Sdk } from "./faults.ts";

/** Calls of tools beside the client, whose own way costs more than most calls. Everything else stays the client's. */
export interface QuickRequests {
  /** Rejects with what the client would reject with, and with the reason of the call's signal once the server was told. */
  callTool(
    params: { readonly name: string; readonly arguments: JsonObject },
    call: Pick<ToolContext, "signal">,
    onprogress: (progress: Progress) => void,
  ): Promise<CallToolResult>;
  /** The connection is over: so is what waits. */
  close(): void;
}

interface Waiting {
  readonly resolve: (result: CallToolResult) => void;
  readonly reject: (error: unknown) => void;
  readonly onprogress: (progress: Progress) => void;
}

/** Listens in front of a client that is connected. The client numbers its requests; these have names, so that neither takes the other's answers. */
export function createQuickRequests(sdk: Sdk, transport: Transport, client: Client): QuickRequests {
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
    callTool: (params, call, onprogress) =>
      new Promise((resolve, reject) => {
        count += 1;
        const id = `call-${count}`;
        const sent = { ...params, _meta: { progressToken: id } };
        // First of all: what the answer needs, the signal too, is made while the server works.
        const sending = transport.send({ jsonrpc: "2.0", id, method: "tools/call", params: sent });
        const { signal } = call;
        const cancel = (): void => {
          if (!waiting.delete(id)) return;
          const told = { requestId: id, reason: String(signal.reason) };
          void client
            .notification({ method: "notifications/cancelled", params: told })
            .catch(() => undefined);
          reject(signal.reason);
        };
        waiting.set(id, { onprogress, resolve, reject });
        // It stays: the signal is the call's own, and is forgotten with it.
        signal.addEventListener("abort", cancel, { once: true });
        if (signal.aborted) cancel();
        sending.catch((error: unknown) => void [waiting.delete(id), reject(error)]);
      }),
    close() {
      for (const one of waiting.values())
        one.reject(new sdk.SdkError(sdk.SdkErrorCode.ConnectionClosed, "Connection closed"));
      waiting.clear();
    },
  };
}

/** True for progress of a call of ours, which is passed on. */
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

/** True for an error that says what it is: nobody has checked what the server sent. */
function isRefusal(message: JSONRPCMessage): message is JSONRPCErrorResponse {
  const error: unknown = "error" in message ? message.error : undefined;
  return isObject(error) && typeof error["code"] === "number" && typeof error["message"] === "string";
}

/** Most answers are texts; any other is looked at closely. */
function isResult(sdk: Sdk, result: unknown): result is CallToolResult {
  const { content, isError } = isObject(result) ? result : {};
  const isFlag = isError === undefined || typeof isError === "boolean";
  if (isFlag && Array.isArray(content) && content.length > 0 && content.every(isText)) return true;
  return Array.isArray(content) && sdk.isSpecType.CallToolResult(result);
}

function isText(block: unknown): boolean {
  return isObject(block) && block["type"] === "text" && typeof block["text"] === "string";
}
