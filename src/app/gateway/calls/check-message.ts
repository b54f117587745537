import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { defined } from "../../../util/json/defined.ts";
import { isId, readCallParams } from "./read-request.ts";

/** A message of the client: for the server, or the error that answers it. */
export type CheckedMessage = { readonly message: JsonObject } | { readonly refusal: JsonObject };

const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;

/**
 * Checks a parsed message, undefined for one that is not JSON. The SDK's server drops a message that it cannot read, and its client would wait
 * for an answer: members that JSON-RPC does not know are left out, and a malformed request is refused.
 */
export function checkMessage(parsed: unknown): CheckedMessage {
  if (parsed === undefined) return refused(null, PARSE_ERROR, "the message is not JSON");
  const { jsonrpc, id, method, params, result, error }: JsonObject = isObject(parsed) ? parsed : {};
  const answerId = typeof id === "number" ? id : isId(id) ? id : null;
  const invalid = (message: string): CheckedMessage => refused(answerId, INVALID_REQUEST, message);
  if (jsonrpc !== "2.0") return invalid("the message is not a JSON-RPC 2.0 message");
  if (method === undefined && (result !== undefined || error !== undefined))
    return { message: defined({ jsonrpc, id, result, error }) };
  if (typeof method !== "string") return invalid("the message has no method");
  if (id === undefined) return { message: defined({ jsonrpc, method, params }) };
  if (!isId(id)) return invalid("the id of a request must be a string or an integer");
  const problem = problemOf(method, params);
  if (problem !== undefined) return refused(id, INVALID_PARAMS, problem);
  return { message: defined({ jsonrpc, id, method, params }) };
}

/** Returns what is wrong with the parameters of a handshake or a call, or with what all requests have; the rest is checked for each method. */
function problemOf(method: string, params: Json = {}): string | undefined {
  if (!isObject(params)) return "params must be an object";
  const { _meta: meta = {} } = params;
  if (!isObject(meta)) return "params._meta must be an object";
  const { progressToken = 0, "io.modelcontextprotocol/related-task": task } = meta;
  if (!isId(progressToken)) return "params._meta.progressToken must be a string or an integer";
  if (task !== undefined && !(isObject(task) && typeof task["taskId"] === "string"))
    return "params._meta names a related task without its taskId";
  if (method === "initialize" && !isHandshake(params))
    return "params of initialize must be a protocolVersion, capabilities and clientInfo";
  if (method === "tools/call" && readCallParams(params) === undefined)
    return "params of tools/call must be a name and an object of arguments";
  return undefined;
}

function isHandshake({ protocolVersion, capabilities, clientInfo }: JsonObject): boolean {
  return typeof protocolVersion === "string" && isObject(capabilities) && isObject(clientInfo);
}

function refused(id: string | number | null, code: number, message: string): CheckedMessage {
  return { refusal: { jsonrpc: "2.0", id, error: { code, message } } };
}
