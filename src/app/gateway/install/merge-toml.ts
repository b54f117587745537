import { ToolError } from "../../../core/errors.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import type { Placement } from "./merge-json.ts";

/** A table of TOML with the entry's values. */
export function toToml({ key, name }: Placement, entry: JsonObject): string {
  const lines = Object.entries(entry).map(([field, value]) => `${field} = ${toValue(value)}`);
  return `[${key}.${name}]\n${lines.join("\n")}\n`;
}

/** A TOML file's text with the table put behind it. Throws where one of that name may be there, or where the end is not a plain one. */
export function mergeToml(text: string, placement: Placement, entry: JsonObject): string {
  const { key, name } = placement;
  const isThere = new RegExp(String.raw`^\s*\[\s*"?${key}"?\s*\.\s*["']?${name}["']?\s*[.\]]`, "m").test(
    text,
  );
  const isInline = new RegExp(String.raw`^\s*"?${key}"?\s*[.=]`, "m").test(text);
  const isOpen = [`"""`, "'''"].some((mark) => text.split(mark).length % 2 === 0);
  if (isThere) throw refused(`it has [${key}.${name}] already`);
  if (isInline) throw refused(`it sets ${key} in another form`);
  if (isOpen) throw refused("a text of several lines is not closed");
  const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return `${text}${gap}${toToml(placement, entry)}`;
}

function refused(why: string): ToolError {
  return new ToolError("INVALID_INPUT", `the file cannot be merged into: ${why}`);
}

/** The strings of JSON are strings of TOML. */
function toValue(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((one: Json) => toValue(one)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value).replaceAll("\u{7f}", String.raw`\u007f`);
  const fields = Object.entries(value).map(([field, one]) => `${JSON.stringify(field)} = ${toValue(one)}`);
  return `{ ${fields.join(", ")} }`;
}
