import type { JsonObject } from "../../../core/json.ts";
import { toMcpResult } from "../../../engine/providers/mcp.ts";
import type { ClientCall, ClientSession } from "./client-session.ts";

/** What a client gets for a call: a result, or an error of the protocol. */
export type CallOutcome = { readonly result: JsonObject } | { readonly error: ProtocolFault };

export interface ProtocolFault {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

const INVALID_PARAMS = -32_602;

/** Runs a call for a client. Only a tool that does not exist is an error of the protocol; every other failure is the tool's answer. */
export async function callTool(
  session: ClientSession,
  call: ClientCall,
  hasLinks: boolean,
): Promise<CallOutcome> {
  const { result, link } = await session.call(call);
  if (!result.ok && result.error.code === "TOOL_NOT_FOUND") {
    const { message, hint, details } = result.error;
    const told = hint === undefined ? message : `${message}; ${hint}`;
    return {
      error: { code: INVALID_PARAMS, message: told, ...(details !== undefined && { data: details }) },
    };
  }
  const shape = toMcpResult(result, hasLinks);
  if (link === undefined || !hasLinks) return { result: shape };
  const { content } = shape;
  return { result: { ...shape, content: [...(Array.isArray(content) ? content : []), link] } };
}
