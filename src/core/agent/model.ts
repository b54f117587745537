import type { JsonObject } from "../json.ts";
import type { AssistantPart, Message } from "./message.ts";
import type { ToolSpec } from "../spec.ts";

/** Whose limits on names and schemas the tools of a request keep. */
export type ModelFormat = "openai" | "openai-responses" | "anthropic" | "google";

/** A tool as a model is shown it: its name and schema already within the limits of the model's format. */
export type ModelTool = Pick<ToolSpec, "name" | "description" | "input">;

export interface ModelRequest {
  /** What the model is told before everything else. */
  readonly instructions: string;
  readonly messages: readonly Message[];
  /** The tools that are active now; with none the request offers none. */
  readonly tools: readonly ModelTool[];
  readonly signal: AbortSignal;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** The answer shall be JSON of this schema, where the provider can promise it. */
  readonly outputSchema?: JsonObject;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input, what the provider had kept. */
  readonly cachedTokens?: number;
  /** Of the output, what was reasoned. */
  readonly reasoningTokens?: number;
}

/** Why a model stopped: it was done, it calls, it ran out of room, or its provider would not go on. */
export type StopReason = "stop" | "calls" | "length" | "refused" | "other";

/** What arrives of an answer, in order. Deltas are for showing; `done` comes last, once, with the whole. */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** A request failed for a reason that may pass, and is made again. */
  | { readonly type: "retry"; readonly attempt: number; readonly waitMs: number; readonly message: string }
  | {
      readonly type: "done";
      /** Whole, in order, calls included: a call that could not be read is there with `unreadable`. */
      readonly parts: readonly AssistantPart[];
      readonly reason: StopReason;
      readonly usage: Usage;
    };

/** In money for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
}

/** Who asks for tools. */
export interface Model {
  /** `provider/name`. */
  readonly id: string;
  readonly format: ModelFormat;
  /** How many tokens a request and its answer may have together. */
  readonly window: number;
  /** Undefined where nobody has said what it costs. */
  readonly price: Price | undefined;
  /**
   * Asks for the next message. Throws `ToolError`: MISSING_CREDENTIALS, UNAUTHORIZED, UNAVAILABLE (after its retries),
   * WINDOW_FULL, MODEL_FAILED, CANCELLED. What was given before it threw is no message.
   */
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
}
