import type { ToolCall } from "./call.ts";
import type { Fact } from "./fact.ts";
import type { JsonObject } from "./json.ts";
import type { Risk } from "./spec.ts";
import type { Tool } from "./tool.ts";

/** A call that has passed validation: what policy judges is exactly what an executor runs. */
export interface Job {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly input: JsonObject;
  /** Presets: never shown, never traced. */
  readonly hidden: JsonObject;
  readonly facts: readonly Fact[];
  readonly risk: Risk;
}
