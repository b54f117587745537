import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Definition, HashedDefinition } from "./definition.ts";
import type { PinnedTools } from "./pins.ts";

/** A tool that is not, or no longer, what the user has seen. */
export interface PinChange {
  readonly tool: string;
  /** What it is now. */
  readonly seen: HashedDefinition;
  /** False for a tool that was added. */
  readonly wasPinned: boolean;
  /** What has changed, one line each: where, what it was and what it is. */
  readonly lines: readonly string[];
}

const MAX_VALUE_CHARACTERS = 400;
const MAX_LINES = 50;

/** What of a server's tools the user has not seen. */
export function pinChanges(pinned: PinnedTools, seen: readonly HashedDefinition[]): readonly PinChange[] {
  return seen.flatMap((one) => {
    const tool = one.definition.name;
    const before = pinned.get(tool);
    if (before?.hash === one.hash) return [];
    const lines = before === undefined ? describeNew(one) : describeChange(before.definition, one.definition);
    return [{ tool, seen: one, wasPinned: before !== undefined, lines }];
  });
}

function describeNew({ definition }: HashedDefinition): readonly string[] {
  return [`+ description: ${short(definition.description)}`, `+ input: ${short(definition.input)}`];
}

function describeChange(before: Definition, after: Definition): readonly string[] {
  const lines = differences("", before as unknown as JsonObject, after as unknown as JsonObject);
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more`];
}

function differences(path: string, before: Json | undefined, after: Json | undefined): readonly string[] {
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      differences(path === "" ? key : `${path}/${key}`, own(before, key), own(after, key)),
    );
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [
    ...(before === undefined ? [] : [`- ${path}: ${short(before)}`]),
    ...(after === undefined ? [] : [`+ ${path}: ${short(after)}`]),
  ];
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function short(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS)}…`;
}
