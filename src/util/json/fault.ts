import { ToolError, isErrorCode } from "../../core/errors.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import { copyJson } from "./copy-json.ts";

/** Errors of the system that say "not reachable now"; trying again can help. */
const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_SOCKET",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const SILENT = "the tool failed without saying why";

/**
 * What was thrown, as a fault. Anything may be thrown, also what cannot be read; the message is all that is taken from strangers.
 * Never throws.
 */
export function toFault(error: unknown): Fault {
  try {
    return error instanceof ToolError ? ownFault(error) : { code: codeOf(error), message: messageOf(error) };
  } catch {
    return { code: "TOOL_FAILED", message: SILENT };
  }
}

/** Whoever writes a tool in JavaScript may have written anything: a code of the tool's own is kept beside ours. */
function ownFault(error: ToolError): Fault {
  const { code, hint, details } = error;
  const isKnown = isErrorCode(code);
  const told = isKnown ? details : { ...details, toolCode: String(code) };
  return {
    code: isKnown ? code : "TOOL_FAILED",
    message: messageOf(error),
    ...(typeof hint === "string" ? { hint } : {}),
    ...(told === undefined ? {} : { details: copyDetails(told) }),
  };
}

/** Details that nobody can read are left out; what is said stays. */
function copyDetails(details: JsonObject): JsonObject {
  try {
    const copied = copyJson(details, undefined);
    return isObject(copied) ? copied : {};
  } catch {
    return {};
  }
}

function codeOf(error: unknown): ErrorCode {
  const own = systemCode(error) ?? (error instanceof Error ? systemCode(error.cause) : undefined);
  return own !== undefined && UNREACHABLE.has(own) ? "UNAVAILABLE" : "TOOL_FAILED";
}

function systemCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

function messageOf(error: unknown): string {
  const said: readonly unknown[] = error instanceof Error ? [error.message, error.name] : [error];
  return said.find((text): text is string => typeof text === "string" && text !== "") ?? SILENT;
}
