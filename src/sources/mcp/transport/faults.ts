import type * as client from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { createMasker } from "../../../secrets/mask.ts";
import { bothEnds } from "../../../secrets/masked-ends.ts";

export type Sdk = typeof client;

const MAX_MESSAGE_BYTES = 8 * 1024;

/** Converts what the SDK throws to a `ToolError`; `hint` is used if the server refuses access. */
export function toFault(sdk: Sdk, error: unknown, hint: string): ToolError {
  if (error instanceof ToolError) return error;
  if (isRefusal(sdk, error)) return fault("UNAUTHORIZED", error, hint);
  if (error instanceof sdk.ProtocolError) return refusedBy(error);
  if (!(error instanceof sdk.SdkError)) return fault("UNAVAILABLE", error);
  if (error.code === sdk.SdkErrorCode.RequestTimeout) return fault("TOOL_TIMEOUT", error);
  if (error.code === sdk.SdkErrorCode.InvalidResult) return fault("INVALID_OUTPUT", error);
  return fault("UNAVAILABLE", error);
}

function isRefusal(sdk: Sdk, error: unknown): boolean {
  const status = statusOf(sdk, error);
  if (status === 401 || status === 403) return true;
  return error instanceof sdk.UnauthorizedError || error instanceof sdk.InsufficientScopeError;
}

/** Returns the HTTP status behind an error, if any. */
export function statusOf(sdk: Sdk, error: unknown): number | undefined {
  if (error instanceof sdk.SdkHttpError) return error.status;
  if (error instanceof sdk.SseError) return error.code;
  // The SDK wraps the error of the first request.
  return error instanceof Error && error.cause !== undefined ? statusOf(sdk, error.cause) : undefined;
}

/** Converts an error that the server reported, with its data for the model. */
function refusedBy(error: client.ProtocolError): ToolError {
  const details: JsonObject = { rpc_code: error.code, ...(isObject(error.data) && { data: error.data }) };
  return new ToolError("TOOL_FAILED", messageOf(error), { details, cause: error });
}

function fault(code: ToolError["code"], error: unknown, hint?: string): ToolError {
  return new ToolError(code, messageOf(error), { hint, cause: error });
}

/** Returns the message with those of its causes: "fetch failed" alone does not help. */
function messageOf(error: unknown): string {
  const { find } = createMasker();
  if (!(error instanceof Error)) return bothEnds(String(error), MAX_MESSAGE_BYTES, find);
  const below = error.cause instanceof Error ? messageOf(error.cause) : "";
  const own = error.message === "" && "code" in error ? String(error.code) : error.message;
  const whole = below === "" || own.includes(below) ? own : `${own}: ${below}`;
  return bothEnds(whole, MAX_MESSAGE_BYTES, find);
}

/** Returns the same error with secrets masked: the output of a server may contain its configuration. */
export function maskedFault(error: ToolError, mask: (text: string) => string): ToolError {
  const { code, message, hint, details } = error;
  const { stderr } = details ?? {};
  return new ToolError(code, mask(message), {
    hint,
    details: typeof stderr === "string" ? { ...details, stderr: mask(stderr) } : details,
    cause: error.cause,
  });
}
