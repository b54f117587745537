import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Definition, HashedDefinition, PinChange } from "../types/source-types.ts";
import type { PinnedTools } from "./pins.ts";

/** How many unchanged characters are shown on either side of a difference. */
const CONTEXT = 60;

/** Returns the listed tools that differ from the pinned ones. */
export function pinChanges(pinned: PinnedTools, seen: readonly HashedDefinition[]): readonly PinChange[] {
  return seen.flatMap((one) => {
    const tool = one.definition.name;
    const before = pinned.get(tool);
    if (before?.hash === one.hash) return [];
    const lines = differences("", toJson(before?.definition), toJson(one.definition));
    return [{ tool, seen: one, wasPinned: before !== undefined, lines }];
  });
}

/** Omits the name, which is the heading of the lines. */
function toJson(definition: Definition | undefined): JsonObject {
  const { name: _name, ...rest } = definition ?? { name: "" };
  return rest;
}

function differences(path: string, before: Json | undefined, after: Json | undefined): readonly string[] {
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      differences(path === "" ? key : `${path}/${key}`, own(before, key), own(after, key)),
    );
  }
  const [was, is] = [textOf(before), textOf(after)];
  if (was === is) return [];
  const [from, to] = sameEnds(was, is);
  return [
    ...(before === undefined ? [] : [`- ${path}: ${part(was, from, was.length - to)}`]),
    ...(after === undefined ? [] : [`+ ${path}: ${part(is, from, is.length - to)}`]),
  ];
}

function textOf(value: Json | undefined): string {
  return value === undefined ? "" : JSON.stringify(value);
}

/** Returns the lengths of the common prefix and, after it, the common suffix. */
function sameEnds(a: string, b: string): readonly [number, number] {
  const most = Math.min(a.length, b.length);
  let first = 0;
  while (first < most && a[first] === b[first]) first += 1;
  let last = 0;
  while (last < most - first && a[a.length - 1 - last] === b[b.length - 1 - last]) last += 1;
  return [first, last];
}

/** Returns the text around a difference. */
function part(text: string, from: number, to: number): string {
  const [start, end] = [from - CONTEXT, to + CONTEXT];
  const shown = text.slice(Math.max(0, start), end).toWellFormed();
  return `${start > 0 ? "…" : ""}${shown}${end < text.length ? "…" : ""}`;
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
