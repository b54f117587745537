import type { JsonObject } from "../json.ts";
import type { AssistantPart, Message } from "./message.ts";
import type { ToolSpec } from "../spec.ts";

/** The provider format whose limits on names and schemas apply to the tools of a request. */
export type ModelFormat = "openai" | "openai-responses" | "anthropic" | "google";

/** A tool as sent to a model: its name and schema are within the limits of the model's format. */
export interface ModelTool extends Pick<ToolSpec, "name" | "description" | "input"> {
  /** Other names that calls in the model's text may have; never sent. */
  readonly aliases?: readonly string[];
  /**
   * The id of the call, answered in the messages, by which the model activated the tool; undefined for a tool that it had from the
   * beginning. A provider that loads tools in the middle of a conversation gets it there, so that what it has cached stays valid.
   */
  readonly since?: string;
}

/**
 * `required`: the answer must call a tool; `{ tool }`: this one; `none`: no tool. Ollama ignores the first two; models that write calls as
 * text are told in their instructions.
 */
export type ToolUse = "auto" | "none" | "required" | { readonly tool: string };

/** What a model is sent. */
export interface ModelRequest {
  /** The system prompt. */
  readonly instructions: string;
  readonly messages: readonly Message[];
  /** The tools that the model may call. */
  readonly tools: readonly ModelTool[];
  /** Whether the model must call a tool, or which one. Default: `auto`, the model decides. */
  readonly toolUse?: ToolUse;
  /** The names of tools, as in `tools`, whose input is wanted as it arrives, in parts of type `input`. Default: none. */
  readonly streamsInput?: readonly string[];
  readonly signal: AbortSignal;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** The answer must be JSON of this schema, if the provider supports it. */
  readonly outputSchema?: JsonObject;
}

/** The tokens of one answer, as the provider counted them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens read from the provider's cache. */
  readonly cachedTokens?: number;
  /** Input tokens that the provider put into its cache and charges for that. */
  readonly cacheWriteTokens?: number;
  /** Output tokens spent on reasoning. */
  readonly reasoningTokens?: number;
}

/** Why a model stopped: done, calls tools, reached the length limit, or refused. */
export type StopReason = "stop" | "calls" | "length" | "refused" | "other";

/** The parts of a streamed answer, in order. Deltas are for display; `done` comes last, once, with the whole answer. */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** A piece of the JSON text of a call's input; only for tools in `streamsInput`. If the answer breaks off, the call never runs. */
  | { readonly type: "input"; readonly callId: string; readonly name: string; readonly text: string }
  /** A request failed temporarily and is retried. */
  | { readonly type: "retry"; readonly attempt: number; readonly waitMs: number; readonly message: string }
  /** The end: the whole answer, why it ended and what it cost. */
  | {
      readonly type: "done";
      /** All parts in order, with calls; a call that could not be read has `unreadable`. */
      readonly parts: readonly AssistantPart[];
      readonly reason: StopReason;
      readonly usage: Usage;
    };

/** USD per million tokens. */
export interface Price {
  /** Of input that is neither read from nor put into the cache. */
  readonly input: number;
  /** With reasoning. */
  readonly output: number;
  /** Input that is read from the provider's cache; default: `input`. */
  readonly cached?: number;
  /** Input that is put into the provider's cache; default: `input`. */
  readonly cacheWrite?: number;
  /** The prices of a request with more input tokens than `above`; default: the same. */
  readonly long?: { readonly above: number; readonly price: Price };
}

/** A language model. */
export interface Model {
  /** `provider/name`. */
  readonly id: string;
  /** Whose limits on tool names and schemas hold. */
  readonly format: ModelFormat;
  /** Context window: the maximum tokens of a request and its answer together. */
  readonly window: number;
  /** Undefined if unknown. */
  readonly price: Price | undefined;
  /** The most tools that the provider documents for a request; undefined if it documents none. */
  readonly maxTools?: number;
  /**
   * Requests the next message. Throws `ToolError`: MISSING_CREDENTIALS, UNAUTHORIZED, UNAVAILABLE (after its retries),
   * WINDOW_FULL, MODEL_FAILED, CANCELLED. Parts before an exception are not a message.
   */
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
}

/** Returns a model like this one that streams in another way. */
export function withStream({ id, format, window, price, maxTools }: Model, stream: Model["stream"]): Model {
  return { id, format, window, price, ...(maxTools !== undefined && { maxTools }), stream };
}
