import type { ErrorCode } from "../../core/errors.ts";
import { ERROR_CODES, ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Reply } from "./read-reply.ts";
import { isLost, readReply } from "./read-reply.ts";

/** Why a request failed, and whether the same request may succeed later. */
export interface ModelFailure {
  readonly error: ToolError;
  readonly mayPass: boolean;
  /** How long the provider wants to be left alone. */
  readonly retryAfterMs?: number;
}

/** Whom the request went to. */
export interface Recipient {
  readonly id: string;
  /** The model's name at the provider. */
  readonly name: string;
  readonly baseUrl: string;
  readonly keys: readonly string[];
  /** What no message may show. */
  readonly secrets: readonly string[];
}

/** What the SDK, the network or the provider threw, as one of our codes. The provider's own words are kept, the key never is. */
export function toModelFailure(thrown: unknown, recipient: Recipient): ModelFailure {
  if (thrown instanceof ToolError) return { error: thrown, mayPass: ERROR_CODES[thrown.code].retry };
  const reply = readReply(thrown);
  const wasLost = isLost(thrown);
  const code = wasLost ? "UNAVAILABLE" : codeOf(reply);
  const said = withoutSecrets(reply.message, recipient.secrets);
  const status = reply.status === undefined ? "" : ` (${reply.status})`;
  const error = new ToolError(code, `${recipient.id}: ${said}${status}`, {
    hint: hintOf(code, reply, recipient),
    details: detailsOf(reply),
    // A reply is told whole by its message and details; what else is thrown may say more.
    ...(reply.status === undefined && { cause: causeOf(thrown) }),
  });
  const { retryAfterMs } = reply;
  return { error, mayPass: ERROR_CODES[code].retry, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** The errors of the packages hold the whole request, which nobody needs who asks what went wrong. */
function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
}

/** By status, and by the types and codes that the providers document. */
function codeOf(reply: Reply): ErrorCode {
  const { status = 0 } = reply;
  if (isWindowFull(reply)) return "WINDOW_FULL";
  // Does not pass by itself, although it comes with the status of a limit that does.
  if (reply.words.has("insufficient_quota")) return "MODEL_FAILED";
  if (status === 401 || status === 403 || reply.words.has("API_KEY_INVALID")) return "UNAUTHORIZED";
  if (status === 408 || status === 409 || status === 429 || status >= 500) return "UNAVAILABLE";
  // In the middle of a stream there is no status, and not every server writes one into its error.
  if (status === 0 && PASSING_WORDS.some((word) => reply.words.has(word))) return "UNAVAILABLE";
  return "MODEL_FAILED";
}

const PASSING_WORDS = [
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

const WINDOW_WORDS = [
  "context_length_exceeded",
  "exceed_context_size_error",
  "request_too_large",
  "model_context_window_exceeded",
];

/** Anthropic, Google, vLLM, LM Studio and others have no code for it: they refuse with 400 as they refuse anything, and say it in these words. */
const WINDOW_SENTENCES =
  /prompt is too long|exceed context limit|input token count .* exceeds the maximum|maximum (?:context|prompt) length|input is too long|context length of only|exceeds? (?:the )?(?:available |model's )?context (?:size|length|window)/i;

function isWindowFull({ status, words, message }: Reply): boolean {
  if (WINDOW_WORDS.some((word) => words.has(word))) return true;
  return status === 413 || ((status === 400 || status === 422) && WINDOW_SENTENCES.test(message));
}

function hintOf(code: ErrorCode, { status, words }: Reply, { name, baseUrl, keys }: Recipient): string {
  if (code === "UNAUTHORIZED") return `check the key in ${keys[0] ?? "the options"}`;
  if (code === "WINDOW_FULL") return "shorten the conversation, or begin a new one";
  if (words.has("insufficient_quota")) return "check the plan and the billing of the account";
  if (status === 429) return "the provider limits how often it is asked; wait, or have the limit raised";
  if (status === 404) return `check that there is a model "${name}" at ${baseUrl}`;
  if (code === "UNAVAILABLE" && status === undefined) return `check that ${baseUrl} can be reached`;
  return code === "UNAVAILABLE" ? "try again later" : "the provider's message says what to change";
}

function detailsOf({ status, words, retryAfterMs }: Reply): JsonObject {
  return {
    ...(status !== undefined && { status }),
    ...(words.size > 0 && { words: [...words] }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (shown, secret) => (secret === "" ? shown : shown.replaceAll(secret, "[secret]")),
    text,
  );
}
