import { ERROR_CODES, ToolError, type ErrorCode } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { defined } from "../../util/json/defined.ts";
import { isConnectionLost, readReply, type Reply } from "./read-reply.ts";

/** Why a request failed, and whether it can be retried. */
export interface ModelFailure {
  readonly error: ToolError;
  readonly isTemporary: boolean;
  /** The wait that the provider asks for. */
  readonly retryAfterMs?: number;
}

/** The model that a request was sent to. */
export interface Recipient {
  readonly id: string;
  /** The model's name at the provider. */
  readonly name: string;
  readonly baseUrl: string;
  readonly keys: readonly string[];
  /** Values that no message may contain. */
  readonly secrets: readonly string[];
}

/** Converts what the SDK, the network or the provider threw. The error has the provider's own message and never a secret. */
export function toModelFailure(thrown: unknown, recipient: Recipient): ModelFailure {
  if (thrown instanceof ToolError) return { error: thrown, isTemporary: ERROR_CODES[thrown.code].retry };
  const reply = readReply(thrown);
  const code = isConnectionLost(thrown) ? "UNAVAILABLE" : codeOf(reply);
  const message = withoutSecrets(reply.message, recipient.secrets);
  const status = reply.status === undefined ? "" : ` (${reply.status})`;
  const error = new ToolError(code, `${recipient.id}: ${message}${status}`, {
    hint: hintOf(code, reply, recipient),
    details: detailsOf(reply),
    // The message and details of a reply say everything; other errors may have more in their cause.
    ...(reply.status === undefined && { cause: causeOf(thrown) }),
  });
  return defined({ error, isTemporary: ERROR_CODES[code].retry, retryAfterMs: reply.retryAfterMs });
}

/** Skips the errors of the SDK, which contain the whole request. */
function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
}

/** Decides by status and by the error types and codes that providers document. */
function codeOf(reply: Reply): ErrorCode {
  const { status = 0 } = reply;
  if (isWindowFull(reply)) return "WINDOW_FULL";
  // Not temporary, although its status is that of a rate limit.
  if (reply.words.has("insufficient_quota")) return "MODEL_FAILED";
  if (status === 401 || status === 403 || reply.words.has("API_KEY_INVALID")) return "UNAUTHORIZED";
  if (status === 408 || status === 409 || status === 429 || status >= 500) return "UNAVAILABLE";
  // An error in the middle of a stream may have no status.
  if (status === 0 && TEMPORARY_ERRORS.some((word) => reply.words.has(word))) return "UNAVAILABLE";
  return "MODEL_FAILED";
}

const TEMPORARY_ERRORS = [
  "server_error",
  "internal_server_error",
  "InternalServerError",
  "api_error",
  "overloaded_error",
  "rate_limit_error",
  "rate_limit_exceeded",
  "timeout_error",
  "service_unavailable",
];

const WINDOW_ERRORS = [
  "context_length_exceeded",
  "exceed_context_size_error",
  "request_too_large",
  "model_context_window_exceeded",
];

/** Anthropic, Google, vLLM, LM Studio and others have no code for a full window: only the message of their 400 says so. */
const WINDOW_MESSAGES =
  /prompt is too long|exceed context limit|input token count .* exceeds the maximum|maximum (?:context|prompt) length|input is too long|context length of only|exceeds? (?:the )?(?:available |model's )?context (?:size|length|window)/i;

function isWindowFull({ status, words, message }: Reply): boolean {
  if (WINDOW_ERRORS.some((word) => words.has(word))) return true;
  return status === 413 || ((status === 400 || status === 422) && WINDOW_MESSAGES.test(message));
}

function hintOf(code: ErrorCode, { status, words }: Reply, { name, baseUrl, keys }: Recipient): string {
  if (code === "UNAUTHORIZED") return `check the key in ${keys[0] ?? "the options"}`;
  if (code === "WINDOW_FULL") return "shorten the conversation or start a new one";
  if (words.has("insufficient_quota")) return "check the plan and billing of the account";
  if (status === 429) return "rate limit reached; wait, or ask the provider for a higher limit";
  if (status === 404) return `check that ${baseUrl} has a model "${name}"`;
  if (code === "UNAVAILABLE" && status === undefined) return `check that ${baseUrl} can be reached`;
  return code === "UNAVAILABLE" ? "try again later" : "the provider's message says what to change";
}

function detailsOf({ status, words, retryAfterMs }: Reply): JsonObject {
  return defined({ status, words: words.size > 0 ? [...words] : undefined, retryAfterMs });
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (masked, secret) => (secret === "" ? masked : masked.replaceAll(secret, "[secret]")),
    text,
  );
}
