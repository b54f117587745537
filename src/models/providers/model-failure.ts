import { ERROR_CODES, ToolError, type ErrorCode } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { defined } from "../../util/json/defined.ts";
import { readReply, networkErrorIn, type Reply } from "./provider-reply.ts";

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
  /** How a server on this machine is started; undefined for one elsewhere. */
  readonly startHint?: string | undefined;
  /** What to know about a proxy in the environment. */
  readonly proxyHint?: string | undefined;
  /** Values that no message may contain. */
  readonly secrets: readonly string[];
}

/** Converts what the SDK, the network or the provider threw; `hasBegun` after a part of the answer. The error has the provider's own message and never a secret. */
export function toModelFailure(thrown: unknown, recipient: Recipient, hasBegun = false): ModelFailure {
  const own = toolErrorIn(thrown);
  if (own !== undefined) return { error: own, isTemporary: ERROR_CODES[own.code].retry };
  const reply = readReply(thrown);
  const lost = networkErrorIn(thrown);
  if (lost !== undefined && recipient.startHint !== undefined && codeIn(lost) === "ECONNREFUSED")
    return { error: notRunning(recipient, recipient.startHint, thrown), isTemporary: false };
  const isLost = lost !== undefined || isIncomplete(thrown);
  const code = isLost ? "UNAVAILABLE" : codeOf(reply);
  const message = withoutSecrets(reply.message, recipient.secrets);
  const status = reply.status === undefined ? "" : ` (${reply.status})`;
  const error = new ToolError(code, `${recipient.id}: ${message}${status}`, {
    hint:
      isLost && brokeOff(lost, hasBegun)
        ? `the answer of ${recipient.baseUrl} broke off; send the message again, and check its log if that happens often`
        : isMalformed(thrown)
          ? `check that ${recipient.baseUrl} is the address of this API: its answer has another format`
          : hintOf(code, reply, recipient),
    details: detailsOf(reply),
    // The message and details of a reply say everything; other errors may have more in their cause.
    ...(reply.status === undefined && { cause: causeOf(thrown) }),
  });
  return defined({ error, isTemporary: ERROR_CODES[code].retry, retryAfterMs: reply.retryAfterMs });
}

/** Nothing listens on the port: a later attempt would find the same. */
function notRunning({ id, baseUrl }: Recipient, startHint: string, cause: unknown): ToolError {
  const { origin } = new URL(baseUrl);
  return new ToolError("UNAVAILABLE", `${id}: no server is running at ${origin}`, { hint: startHint, cause });
}

/** Errors of a connection that could not be made, unlike one that was lost. */
const NEVER_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

/** Returns whether an answer ended too early: an answer without a beginning may come from another kind of server. */
function brokeOff(lost: Error | undefined, hasBegun: boolean): boolean {
  return hasBegun || (lost !== undefined && !NEVER_CONNECTED.test(codeIn(lost)));
}

function codeIn(error: Error): string {
  return String((error as { readonly code?: unknown }).code);
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

const TEMPORARY_ERRORS = (
  "server_error internal_server_error InternalServerError api_error overloaded_error rate_limit_error " +
  "rate_limit_exceeded timeout_error service_unavailable"
).split(" ");

const WINDOW_ERRORS =
  "context_length_exceeded exceed_context_size_error request_too_large model_context_window_exceeded".split(
    " ",
  );

/** Anthropic, Google, vLLM, LM Studio and others have no code for a full window: only the message of their 400 says so. */
const WINDOW_MESSAGES =
  /prompt is too long|exceed context limit|input token count .* exceeds the maximum|maximum (?:context|prompt) length|input is too long|context length of only|exceeds? (?:the )?(?:available |model's )?context (?:size|length|window)/i;

function isWindowFull({ status, words, message }: Reply): boolean {
  if (WINDOW_ERRORS.some((word) => words.has(word))) return true;
  return status === 413 || ((status === 400 || status === 422) && WINDOW_MESSAGES.test(message));
}

function hintOf(code: ErrorCode, { status, words }: Reply, recipient: Recipient): string {
  const { name, baseUrl, keys, proxyHint = "" } = recipient;
  if (code === "UNAUTHORIZED") return `check the key in ${keys[0] ?? "the options"}`;
  if (code === "WINDOW_FULL") return "shorten the conversation or start a new one";
  if (words.has("insufficient_quota")) return "check the plan and billing of the account";
  if (status === 429) return "rate limit reached; wait, or ask the provider for a higher limit";
  if (status === 404) return `check that ${baseUrl} has a model "${name}"`;
  if (code === "UNAVAILABLE" && status === undefined)
    return `check that ${baseUrl} can be reached${proxyHint}`;
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

/** The package for compatible servers reports an answer without an end as invalid data without the data. */
function isIncomplete(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || thrown.name !== "AI_InvalidResponseDataError") return false;
  return (thrown as { readonly data?: unknown }).data === undefined;
}

/** Returns true for an answer that the SDK could not read: its message is not one of the provider. */
function isMalformed(thrown: unknown): boolean {
  return (
    thrown instanceof Error && /^AI_(?:InvalidResponseData|JSONParse|TypeValidation)Error$/.test(thrown.name)
  );
}

/** Returns the error of this program that the SDK has wrapped; undefined for others. */
function toolErrorIn(thrown: unknown): ToolError | undefined {
  if (thrown instanceof ToolError) return thrown;
  const { cause } = thrown instanceof Error ? thrown : {};
  return cause instanceof ToolError ? cause : undefined;
}
