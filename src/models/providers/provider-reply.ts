import { isObject, type JsonObject, type Json } from "../../core/json.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import { shortened } from "../../util/text/shortened.ts";

/** What a provider sent instead of an answer. */
export interface Reply {
  readonly message: string;
  readonly status: number | undefined;
  /** The error types, codes and reasons in it. */
  readonly words: ReadonlySet<string>;
  readonly retryAfterMs: number | undefined;
}

const MAX_MESSAGE = 600;

/** Reads an error of the SDK, or an error object from a stream, by its fields: the packages share no error classes. */
export function readReply(thrown: unknown): Reply {
  const fields: Readonly<Record<string, unknown>> =
    typeof thrown === "object" && thrown !== null ? { ...thrown } : {};
  const body = bodyOf(fields);
  const error = isObject(body["error"]) ? body["error"] : body;
  return {
    message: shortened(
      firstText(error["message"], body["error"], body["message"], messageOf(thrown)),
      MAX_MESSAGE,
    ),
    status: statusOf(fields["statusCode"], error["code"]),
    words: new Set(wordsOf(error, fields)),
    retryAfterMs: retryAfterOf(fields["responseHeaders"]),
  };
}

function bodyOf({ responseBody, data, ...rest }: Readonly<Record<string, unknown>>): JsonObject {
  if (typeof responseBody === "string") {
    const parsed = parseJson(responseBody);
    // Google reports the failure of a stream as a list.
    const first: unknown = Array.isArray(parsed) ? (parsed as readonly Json[])[0] : parsed;
    if (isObject(first)) return first;
  }
  if (isObject(data)) return data;
  return "message" in rest && !("statusCode" in rest) ? (rest as JsonObject) : {};
}

function messageOf(thrown: unknown): unknown {
  // The SDK calls a connection that breaks during the answer a failure to process a successful response.
  const lost = networkErrorIn(thrown);
  if (lost !== undefined && lost !== thrown && lost.message !== "")
    return `the connection failed: ${lost.message}`;
  if (thrown instanceof Error) return thrown.message;
  return isObject(thrown) ? thrown["message"] : thrown;
}

function firstText(...candidates: readonly unknown[]): string {
  const message = candidates.find((each) => typeof each === "string" && each.trim() !== "");
  return typeof message === "string" ? message.trim() : "the provider gave no reason";
}

function statusOf(...candidates: readonly unknown[]): number | undefined {
  return candidates.map(Number).find((each) => Number.isInteger(each) && each >= 400 && each < 600);
}

function wordsOf(error: JsonObject, fields: Readonly<Record<string, unknown>>): readonly string[] {
  const details = Array.isArray(error["details"]) ? (error["details"] as readonly Json[]) : [];
  const reasons = details.map((detail) => (isObject(detail) ? detail["reason"] : undefined));
  return [error["type"], error["code"], error["status"], fields["type"], fields["code"], ...reasons].filter(
    (word) => typeof word === "string",
  );
}

/** Reads seconds, a date, or the milliseconds of the header that OpenAI and Anthropic add. */
function retryAfterOf(headers: unknown): number | undefined {
  if (!isObject(headers)) return undefined;
  const milliseconds = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const value = headers["retry-after"];
  if (typeof value !== "string") return undefined;
  const seconds = Number(value);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
}

/** Returns the error of the network that caused this one; undefined if none did. */
export function networkErrorIn(thrown: unknown): Error | undefined {
  const seen = new Set<unknown>();
  for (let error = thrown; error instanceof Error && !seen.has(error); error = error.cause) {
    seen.add(error);
    const { code } = error as { readonly code?: unknown };
    if (typeof code === "string" && /^(?:E[A-Z]+|EAI_\w+|UND_ERR_\w+)$/.test(code)) return error;
  }
  return undefined;
}
