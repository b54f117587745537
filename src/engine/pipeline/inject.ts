import type { Json } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import { copyJson, setOwn } from "../../util/json/copy-json.ts";
import { given } from "../state/passage.ts";
import type { Passage, StationOutcome } from "../state/passage.ts";
import type { Entry } from "../registry/registry.ts";

/** Station: fills parameters from the context where nobody else has, and makes sure of what the tool needs. */
export function inject(passage: Passage): StationOutcome {
  const entry = given(passage.entry, "tool");
  for (const key of entry.tool.needs ?? NONE) {
    if (passage.context.lookFor(key) === undefined) return missing(entry, key.name);
  }
  return entry.tool.inject === undefined ? undefined : fill(passage, entry);
}

const NONE: readonly never[] = Object.freeze([]);

function fill(passage: Passage, entry: Entry): StationOutcome {
  const filled: Record<string, Json> = { ...passage.input };
  for (const [name, key] of Object.entries(entry.tool.inject ?? {})) {
    if (Object.hasOwn(filled, name) || Object.hasOwn(entry.hidden, name)) continue;
    const value = passage.context.lookFor(key);
    if (value === undefined && isRequired(entry, name)) return missing(entry, key.name);
    if (value !== undefined) setOwn(filled, name, copyJson(value, "MISSING_CONTEXT"));
  }
  passage.input = filled;
  return undefined;
}

function isRequired({ tool }: Entry, name: string): boolean {
  const { required } = tool.input;
  return Array.isArray(required) && required.includes(name);
}

function missing({ tool }: Entry, key: string): Fault {
  return {
    code: "MISSING_CONTEXT",
    message: `"${tool.name}" needs "${key}", which the host program has not provided`,
    hint: `pass context: [provide(${key}, value)] to createEngine or run`,
    details: { key },
  };
}
