import { ToolError } from "../core/errors.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { Fault } from "../core/result.ts";

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

/** What was thrown, as a fault. Anything may be thrown; the message is all that is taken from strangers. */
export function toFault(error: unknown): Fault {
  if (error instanceof ToolError) {
    const { code, message, hint, details } = error;
    return {
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(details === undefined ? {} : { details }),
    };
  }
  return { code: codeOf(error), message: messageOf(error) };
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
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === "string" && error !== "") return error;
  return "the tool failed without saying why";
}
