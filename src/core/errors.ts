import type { JsonObject } from "./json.ts";

/** Who can fix it, whether the same call may succeed later, and the codes for the command line and HTTP. */
interface CodeRow {
  readonly meaning: string;
  readonly fixedBy: "model" | "user" | "host" | "tool";
  readonly retry: boolean;
  readonly exitCode: number;
  readonly httpStatus: number;
}

/** Every code that a call can fail with: its meaning, who can fix it, whether the same call may succeed later, and its exit code and HTTP status. */
export const ERROR_CODES = {
  UNREADABLE_CALL: row("the call could not be read from the model's message", "model", 2, 400),
  TOOL_NOT_FOUND: row("no tool has that name", "model", 2, 404),
  TOOL_DISABLED: row("the tool exists but is not active, or its schema cannot be used", "user", 2, 409),
  INVALID_INPUT: row("the input does not fit the tool's schema", "model", 2, 422),
  MISSING_CONTEXT: row("the host program did not provide a value the tool needs", "host", 1, 500),
  DENIED: row("refused by policy, a hook or a person", "user", 3, 403),
  NO_EXECUTOR: row("no executor is configured for the tool's place", "host", 1, 501),
  TOOL_TIMEOUT: temporary(row("the call exceeded its deadline, or was idle too long", "model", 4, 504)),
  CANCELLED: row("the caller cancelled the call", "user", 130, 499),
  TOOL_FAILED: row("the tool ran and reported a failure", "model", 1, 500),
  TOOL_CRASHED: row("the tool's process ended without an answer", "tool", 1, 502),
  INVALID_OUTPUT: row(
    "the tool's answer is not JSON or does not fit its output schema, or its risk or facts are invalid",
    "tool",
    1,
    502,
  ),
  MISSING_CREDENTIALS: row("the tool needs a credential that is not set", "user", 1, 401),
  UNAUTHORIZED: row("a credential was refused", "user", 1, 401),
  UNAVAILABLE: temporary(row("something that the call needs cannot be reached now", "host", 1, 503)),
  WINDOW_FULL: row("the conversation does not fit into the model's context window", "user", 1, 413),
  MODEL_FAILED: row("the model's provider refused the request, or its answer broke off", "user", 1, 502),
  INTERRUPTED: temporary(row("the process that ran the call ended before its answer", "model", 1, 500)),
} as const satisfies Record<string, CodeRow>;

/** What programs decide by; docs/errors.md has the meaning of each. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** What an error has besides its code and message. */
export interface ToolErrorOptions {
  readonly hint?: string | undefined;
  readonly details?: JsonObject | undefined;
  readonly cause?: unknown;
  /** Set if the tool has failed in a sandbox of its own. */
  readonly place?: "sandbox" | undefined;
}

/** The only error class: thrown by tools and at the API; inside the engine it is a `Fault`. */
export class ToolError extends Error {
  static override get name(): string {
    // The bundle has short names. A property that is defined later would make the class slow.
    return "ToolError";
  }

  override readonly name = "ToolError";
  readonly code: ErrorCode;
  // Without initial values: an uncaught error prints the fields that are set.
  declare readonly hint?: string;
  declare readonly details?: JsonObject;
  declare readonly place?: "sandbox";

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.hint !== undefined) this.hint = options.hint;
    if (options.details !== undefined) this.details = options.details;
    if (options.place !== undefined) this.place = options.place;
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERROR_CODES, value);
}

function row(meaning: string, fixedBy: CodeRow["fixedBy"], exitCode: number, httpStatus: number): CodeRow {
  return { meaning, fixedBy, retry: false, exitCode, httpStatus };
}

/** Marks a cause that may go away by itself: the same call can succeed later. */
function temporary(code: CodeRow): CodeRow {
  return { ...code, retry: true };
}
