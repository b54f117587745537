import type { Approver } from "../core/approval.ts";
import type { Artifacts } from "../core/artifacts.ts";
import type { ToolCall } from "../core/call.ts";
import type { Agent, Provided } from "../core/context.ts";
import type { Listener } from "../core/events.ts";
import type { Executor } from "../core/executor.ts";
import type { Journal } from "../core/journal.ts";
import type { JsonObject } from "../core/json.ts";
import type { Mode, Policy } from "../core/policy.ts";
import type { ToolResult } from "../core/result.ts";
import type { ToolSpec } from "../core/spec.ts";
import type { Tool } from "../core/tool.ts";

export type ProviderFormat = "openai" | "openai-responses" | "anthropic" | "google" | "mcp";

export interface EngineOptions {
  readonly tools?: readonly Tool[];
  /** How much runs unasked; auto. */
  readonly mode?: Mode;
  /** Canonical folders that file tools may touch; none means none. */
  readonly workspace?: readonly string[];
  /** In place of the built-in policy over `mode` and `workspace`. */
  readonly policy?: Policy;
  /** Who is asked; nobody means no. */
  readonly approver?: Approver;
  readonly context?: readonly Provided[];
  readonly executors?: readonly Executor[];
  readonly journal?: Journal;
  readonly artifacts?: Artifacts;
  /** The deadline of a call whose tool has none of its own; 30 s. It counts execution only. */
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly retry?: RetryOptions;
  /** How many calls of one `runAll` run at a time; 16. */
  readonly concurrency?: number;
  /** Values to mask wherever they appear. */
  readonly secrets?: readonly string[];
  /** `envelope`: the model is answered with {"tool_success": …}. */
  readonly modelText?: "plain" | "envelope";
  readonly log?: Listener;
}

export interface RetryOptions {
  readonly attempts?: number;
  readonly firstWaitMs?: number;
  readonly factor?: number;
}

export interface AddOptions {
  readonly group?: string;
  /** For one tool, its presets; for a list, presets keyed by tool name. */
  readonly presets?: JsonObject;
  readonly replace?: boolean;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly session?: string;
  readonly agent?: Agent & { readonly context?: readonly Provided[] };
  readonly context?: readonly Provided[];
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
}

export interface RunAllOptions extends RunOptions {
  /** `safe`: in parallel where effects allow; `all`: regardless; false: one after the other. */
  readonly parallel?: false | "safe" | "all";
  readonly concurrency?: number;
}

export interface Engine {
  add(tool: Tool | readonly Tool[], options?: AddOptions): void;
  remove(name: string): boolean;
  get(name: string): Tool | undefined;
  list(options?: { readonly session?: string; readonly all?: boolean }): readonly ToolSpec[];
  specs(
    format: ProviderFormat,
    options?: { readonly session?: string; readonly strict?: boolean },
  ): readonly JsonObject[];
  /** Never rejects. */
  run(call: ToolCall, options?: RunOptions): Promise<ToolResult>;
  /** Never rejects; answers come in the order of the calls. */
  runAll(calls: readonly ToolCall[], options?: RunAllOptions): Promise<readonly ToolResult[]>;
  on(listener: Listener): () => void;
  close(): Promise<void>;
}
