import type { ToolCall } from "./call.ts";
import type { Fact } from "./fact.ts";
import type { JsonObject } from "./json.ts";
import type { Risk } from "./spec.ts";
import type { Tool } from "./tool.ts";

/** A validated call: policy judges exactly what the executor runs. */
export interface Job {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly input: JsonObject;
  /** Presets: never shown, never logged. */
  readonly hidden: JsonObject;
  readonly facts: readonly Fact[];
  readonly risk: Risk;
}
