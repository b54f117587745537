import { ToolError, isErrorCode, type ErrorCode } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Failure, Fault } from "../../core/result.ts";
import type { Effects } from "../../core/spec.ts";
import { attempt } from "../async/attempt.ts";
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
export function toFault(thrown: unknown): Fault {
  try {
    const error = firstOf(thrown);
    return isToolError(error) ? ownFault(error) : { code: codeOf(error), message: withCause(error) };
  } catch {
    return { code: "TOOL_FAILED", message: NO_MESSAGE };
  }
}

/** Returns the fault of a call that was given up while its tool may still run: nothing says what the tool did. */
export function givenUp(fault: Fault, effects: Effects): Fault {
  if (effects === "none") return fault;
  const hint = fault.hint ?? (effects === "idempotent" ? undefined : CHECK_FIRST);
  const details = { ...fault.details, mayHaveHadEffects: true };
  return hint === undefined ? { ...fault, details } : { ...fault, hint, details };
}

const CHECK_FIRST = "it may have had effects: check what it did before you call it again";

/** Returns the answer to a call that failed before a tool was found for it. */
export function failedResult(callId: string, name: string, error: Fault): Failure {
  const { message, hint } = error;
  const text = `Error: ${message}${hint === undefined ? "" : `\n${hint}`}`;
  const meta = { startedAt: Date.now(), durationMs: 0, place: "host", attempts: 0, source: "none" } as const;
  return { callId, name, ok: false, content: [{ type: "text", text }], error, meta };
}

/** If a resource cannot be closed after an error, `await using` throws another one that has both: what failed first says more. */
function firstOf(error: unknown): unknown {
  const isPair = error instanceof Error && error.name === "SuppressedError" && "suppressed" in error;
  return isPair ? firstOf(error.suppressed) : error;
}

/** An error of a second copy of this package, or of another realm, is of another class. */
function isToolError(error: unknown): error is ToolError {
  return error instanceof ToolError || (isObject(error) && error["name"] === "ToolError" && "code" in error);
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
  const copied = attempt(() => copyJson(details, undefined));
  return isObject(copied) ? copied : {};
}

function codeOf(error: unknown): ErrorCode {
  const own = systemCode(error) ?? causeCode(error);
  return own !== undefined && UNREACHABLE.has(own) ? "UNAVAILABLE" : "TOOL_FAILED";
}

function causeCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "cause" in error
    ? systemCode(error.cause)
    : undefined;
}

function systemCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const MAX_ERRORS = 5;

/**
 * Adds the code of the cause to the message, or its message if it has none: "fetch failed" alone says too little. Of several errors in
 * one, such as those of `Promise.any`, the messages follow.
 */
function withCause(error: unknown): string {
  const text = messageOf(error);
  const { cause, errors }: { cause?: unknown; errors?: unknown } =
    typeof error === "object" && error !== null ? error : {};
  const why = Array.isArray(errors)
    ? errors.slice(0, MAX_ERRORS).map(messageOf).join("; ")
    : (causeCode(error) ?? (cause instanceof Error && text === "fetch failed" ? cause.message : undefined));
  return why === undefined || why === "" || text.includes(why) ? text : `${text}: ${why}`;
}

/** Returns the message of whatever was thrown. */
function messageOf(error: unknown): string {
  const { message, name }: { message?: unknown; name?: unknown } =
    typeof error === "object" && error !== null ? error : {};
  const isNumber = typeof error === "number" || typeof error === "bigint";
  const texts = [message, name, isNumber ? `the tool threw ${error}` : error];
  return texts.find((one): one is string => typeof one === "string" && one !== "") ?? NO_MESSAGE;
}

/** Returns the stacks of the errors in an error, such as that of `Promise.any`. */
function stacksIn({ errors }: Error & { errors?: unknown }): readonly string[] {
  if (!Array.isArray(errors)) return [];
  return errors
    .slice(0, MAX_ERRORS)
    .map((one: unknown) => (one instanceof Error ? one.stack : undefined) ?? messageOf(one));
}

/** Returns the stacks of an error and its causes, for the host; undefined for a `ToolError` without a cause, whose message says everything. */
export function stackOf(thrown: unknown): string | undefined {
  try {
    const error = firstOf(thrown);
    const stacks: string[] = [];
    for (
      let one = isToolError(error) ? error.cause : error;
      one instanceof Error && stacks.length < 5;
      one = one.cause
    )
      stacks.push(one.stack ?? one.message, ...stacksIn(one));
    return stacks.length === 0 ? undefined : stacks.join("\ncaused by ");
  } catch {
    return undefined;
  }
}
