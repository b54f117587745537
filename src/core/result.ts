import type { Content, Truncated } from "./content.ts";
import type { ErrorCode } from "./errors.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Place } from "./spec.ts";

/** One thing wrong with an input. */
export interface Problem {
  readonly kind: "missing" | "type" | "value" | "unknown";
  /** A JSON Pointer; "" is the input itself. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;
  /** Names that were probably meant. */
  readonly near?: readonly string[];
  /** The part of the schema that failed. */
  readonly schema?: Json;
}

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
  readonly durationMs: number;
  readonly place: Place;
  readonly attempts: number;
  readonly source: string;
  /** The JSON text of the call was repaired. */
  readonly repaired?: boolean;
  /** Paths whose values were coerced to what the schema wants. */
  readonly coerced?: readonly string[];
  readonly truncated?: Truncated;
}

interface Answer {
  readonly callId: string;
  readonly name: string;
  readonly content: readonly Content[];
  readonly meta: Meta;
}

export type Success = Answer & { readonly ok: true; readonly data?: Json };
export type Failure = Answer & { readonly ok: false; readonly error: Fault };

/** The one answer to a call. */
export type ToolResult = Success | Failure;
