import type * as client from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";

export type Sdk = typeof client;

const MAX_MESSAGE_CHARACTERS = 2000;

/** What the client throws, as our own error; `hint` says what to do where the server does not let us in. */
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

/** The HTTP status that an error stands for; undefined where it stands for none. */
export function statusOf(sdk: Sdk, error: unknown): number | undefined {
  if (error instanceof sdk.SdkHttpError) return error.status;
  if (error instanceof sdk.SseError) return error.code;
  // The client puts what stopped its first request beneath an error of its own.
  return error instanceof Error && error.cause !== undefined ? statusOf(sdk, error.cause) : undefined;
}

/** A server's own error: the model can read what was wrong. */
function refusedBy(error: client.ProtocolError): ToolError {
  const details: JsonObject = {
    rpc_code: error.code,
    ...(isObject(error.data) && { data: error.data }),
  };
  return new ToolError("TOOL_FAILED", messageOf(error), { details, cause: error });
}

function fault(code: ToolError["code"], error: unknown, hint?: string): ToolError {
  return new ToolError(code, messageOf(error), { ...(hint !== undefined && { hint }), cause: error });
}

/** With what lies beneath: "fetch failed" alone helps nobody. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_MESSAGE_CHARACTERS);
  const below = error.cause instanceof Error ? messageOf(error.cause) : "";
  const own = error.message === "" && "code" in error ? String(error.code) : error.message;
  const whole = below === "" || own.includes(below) ? own : `${own}: ${below}`;
  return whole.slice(0, MAX_MESSAGE_CHARACTERS);
}

/** The same error; its last words may hold what the server was given. */
export function maskedFault(error: ToolError, mask: (text: string) => string): ToolError {
  const { code, message, hint, details } = error;
  const { stderr } = details ?? {};
  return new ToolError(code, mask(message), {
    ...(hint !== undefined && { hint }),
    ...(details !== undefined && {
      details: { ...details, ...(typeof stderr === "string" && { stderr: mask(stderr) }) },
    }),
    cause: error.cause,
  });
}
