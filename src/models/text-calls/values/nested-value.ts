import type { Json, JsonObject } from "../../../core/json.ts";
import { setOwn } from "../../../util/json/own.ts";
import type { Untyped } from "./typed-text.ts";
import { itemSchema, propertySchema, takes, typedText } from "./typed-text.ts";

export const PREFIX = "]<]minimax[>[";
const OPENING = /\s*<([A-Za-z_][\w.-]*)>/y;
const MAX_DEPTH = 32;

/** A value written as tags inside its tag: an object by its keys, a list by its items. Undefined where it is plain text. */
export function nestedValue(
  text: string,
  schema: JsonObject | undefined,
  untyped: Untyped,
  depth = 0,
): Json | undefined {
  const children = depth > MAX_DEPTH ? undefined : childrenOf(text.replaceAll(PREFIX, ""));
  if (children === undefined) return undefined;
  const read = (inner: string, own: JsonObject | undefined): Json =>
    nestedValue(inner, own, untyped, depth + 1) ?? typedText(inner, own, untyped);
  const areItems = children.every(([key]) => key === "item");
  const isList = takes(schema, "array") ?? areItems;
  if (isList && (areItems || takes(schema, "object") !== true))
    return children.map(([, inner]) => read(inner, itemSchema(schema)));
  const value: Record<string, Json> = {};
  for (const [key, inner] of children) setOwn(value, key, read(inner, propertySchema(schema, key)));
  return value;
}

/** The elements that a text is made of; undefined where there is anything else between them. */
function childrenOf(text: string): readonly (readonly [string, string])[] | undefined {
  const children: [string, string][] = [];
  let at = 0;
  const length = text.trimEnd().length;
  while (at < length) {
    OPENING.lastIndex = at;
    const [whole, name = ""] = OPENING.exec(text) ?? [];
    if (whole === undefined) return undefined;
    const start = at + whole.length;
    const end = closingOf(text, name, start);
    if (end === undefined) return undefined;
    children.push([name, text.slice(start, end)]);
    at = end + name.length + 3;
  }
  return children.length === 0 ? undefined : children;
}

/** Where the element that began before `start` is closed, elements of the same name inside it counted. */
function closingOf(text: string, name: string, start: number): number | undefined {
  const tags = new RegExp(`<(/?)${name.replaceAll(".", String.raw`\.`)}>`, "g");
  tags.lastIndex = start;
  let depth = 1;
  for (let found = tags.exec(text); found !== null; found = tags.exec(text)) {
    depth += found[1] === "/" ? -1 : 1;
    if (depth === 0) return found.index;
  }
  return undefined;
}
