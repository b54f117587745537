import type { Content, Truncated } from "./content.ts";
import type { ErrorCode } from "./errors.ts";
import type { Json, JsonObject } from "./json.ts";

/** One problem of an input: the schema wants `expected`, the input has `got`. */
export interface Problem {
  /** A field is missing, has another type, an invalid value, or is no field of the schema. */
  readonly kind: "missing" | "type" | "value" | "unknown";
  /** JSON Pointer; "" is the input itself. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;
  /** Names that were probably meant. */
  readonly near?: readonly string[];
  /** The part of the schema that failed. */
  readonly schema?: Json;
}

/** An error of a call, as JSON. */
export interface Fault {
  readonly code: ErrorCode;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  readonly details?: JsonObject;
}

export interface Meta {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** From receipt to answer, with every wait. */
  readonly durationMs: number;
  /** How much of the duration an approver took to decide; absent if none decided. */
  readonly waitedMs?: number;
  /** Where it ran: `host`, `sandbox`, or the place of an executor. */
  readonly place: string;
  readonly attempts: number;
  readonly source: string;
  /** The call, or the JSON text of its input, was repaired. */
  readonly repaired?: boolean;
  /** Paths whose values were coerced to fit the schema. */
  readonly coerced?: readonly string[];
  readonly truncated?: Truncated;
  /**
   * The stack of the error that the tool threw, and of its causes: for the host, never shown to a model. It is not enumerable, so that the
   * JSON of a result and copies of it lack it; the journal has it in the trace of the call.
   */
  readonly stack?: string;
}

/** What successes and failures have in common. */
export interface Answer {
  readonly callId: string;
  readonly name: string;
  readonly content: readonly Content[];
  /** How the call ran, for programs and logs. */
  readonly meta: Meta;
}

/** The tool returned; `data` is what it returned for programs. */
export type Success = Answer & { readonly ok: true; readonly data?: Json };
/** The call was refused, or failed; `content` says to the model what `error` says to programs. */
export type Failure = Answer & { readonly ok: false; readonly error: Fault };

/** The process that ran a call of another one: the id of the `worker`, and the host name of its `machine`. */
export interface RanOn {
  readonly worker: string;
  readonly machine: string;
}

/** The answer to a call; there is exactly one. */
export type ToolResult = Success | Failure;

/** The answer of a tool whose `output` types its data. Data that was cut (`meta.truncated`) may lack its end. */
export type ResultOf<Data> = unknown extends Data
  ? ToolResult
  : Failure | (Omit<Success, "data"> & { readonly data: Data });

/** The details of the codes that have some. All are optional: tools throw these codes too. */
export interface FaultDetails {
  readonly INVALID_INPUT: { readonly problems?: readonly Problem[] };
  readonly TOOL_NOT_FOUND: { readonly near?: readonly string[] };
  readonly TOOL_DISABLED: { readonly group?: string };
  /** `declined`: what the person who declined the call gave as reason, which may be empty. */
  readonly DENIED: { readonly rule?: string; readonly declined?: string };
  readonly TOOL_TIMEOUT: { readonly emitted?: string } & UnknownEnd;
  readonly CANCELLED: { readonly emitted?: string } & UnknownEnd;
  readonly TOOL_FAILED: ProcessDetails & { readonly toolCode?: string };
  readonly TOOL_CRASHED: ProcessDetails & UnknownEnd;
  readonly INTERRUPTED: UnknownEnd;
}

/** Of a call whose tool had begun and did not say how it ended. */
export interface UnknownEnd {
  /** True if nothing says what the tool did. */
  readonly mayHaveHadEffects?: boolean;
  /** The files that a change which ended late has changed. */
  readonly changed?: readonly string[];
}

export interface ProcessDetails {
  /** Absent if a signal ended it. */
  readonly exit_code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  /** What the tool emitted before it failed. */
  readonly emitted?: string;
}

/** Returns the details of an error of this code, or undefined if it has another code or no details. */
export function detailsOf<C extends keyof FaultDetails>(error: Fault, code: C): FaultDetails[C] | undefined {
  return error.code === code ? error.details : undefined;
}
