import type { Json } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { setOwn } from "../../util/json/set-own.ts";
import { required, type CallState, type StageOutcome } from "../call/call-state.ts";
import type { ToolEntry } from "../types/tool-entry.ts";

/** Stage: checks that the context has what the tool needs, and fills missing parameters from it. */
export function inject(state: CallState): StageOutcome {
  const entry = required(state.entry, "tool");
  const { needs, inject: keys } = entry.tool;
  if (needs !== undefined)
    for (const key of needs) if (state.context.lookFor(key) === undefined) return missing(entry, key.name);
  return keys === undefined ? undefined : fill(state, entry);
}

function fill(state: CallState, entry: ToolEntry): StageOutcome {
  const filled: Record<string, Json> = { ...state.input };
  for (const [name, key] of Object.entries(entry.tool.inject ?? {})) {
    if (Object.hasOwn(filled, name) || Object.hasOwn(entry.hidden, name)) continue;
    const value = state.context.lookFor(key);
    if (value === undefined && isRequired(entry, name)) return missing(entry, key.name);
    if (value !== undefined) setOwn(filled, name, copyJson(value, "MISSING_CONTEXT"));
  }
  state.input = filled;
  return undefined;
}

function isRequired({ tool }: ToolEntry, name: string): boolean {
  const { required } = tool.input;
  return Array.isArray(required) && required.includes(name);
}

function missing({ tool }: ToolEntry, key: string): Fault {
  return {
    code: "MISSING_CONTEXT",
    message: `"${tool.name}" needs "${key}", which the host program has not provided`,
    hint: `pass context: [provide(${key}, value)] to createEngine or run`,
    details: { key },
  };
}
