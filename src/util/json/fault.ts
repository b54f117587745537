import { ToolError, isErrorCode, type ErrorCode } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import { copyJson } from "./copy-json.ts";

/** System errors for "not reachable now"; a retry can help. */
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

const NO_MESSAGE = "the tool failed without a message";

/**
 * Converts any thrown value to a fault, also one whose properties throw. Only the message of an external error is used.
 * Never throws.
 */
export function toFault(error: unknown): Fault {
  try {
    return error instanceof ToolError ? ownFault(error) : { code: codeOf(error), message: messageOf(error) };
  } catch {
    return { code: "TOOL_FAILED", message: NO_MESSAGE };
  }
}

/** A tool written in JavaScript may use any code: an unknown one goes to `details.toolCode`. */
function ownFault(error: ToolError): Fault {
  const { code, hint, details } = error;
  const isKnown = isErrorCode(code);
  const allDetails = isKnown ? details : { ...details, toolCode: String(code) };
  return {
    code: isKnown ? code : "TOOL_FAILED",
    message: messageOf(error),
    ...(typeof hint === "string" ? { hint } : {}),
    ...(allDetails === undefined ? {} : { details: copyDetails(allDetails) }),
  };
}

/** Returns no details if they cannot be copied. */
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
  const texts: readonly unknown[] = error instanceof Error ? [error.message, error.name] : [error];
  return texts.find((text): text is string => typeof text === "string" && text !== "") ?? NO_MESSAGE;
}
