import { errorMessage } from "../../../util/text/error-message.ts";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { editJsonc, parseJsonc } from "../../config/files/jsonc.ts";

/** Returns the entry as a TOML table. */
export function toToml({ key, name }: Placement, entry: JsonObject): string {
  const lines = Object.entries(entry).map(([field, value]) => `${field} = ${toValue(value)}`);
  return `[${key}.${name}]\n${lines.join("\n")}\n`;
}

/** Returns a TOML text with the table appended. Throws if it may have a table of that name, or if it cannot be appended to. */
export function mergeToml(text: string, placement: Placement, entry: JsonObject): string {
  const { key, name } = placement;
  const exists = new RegExp(String.raw`^\s*\[\s*"?${key}"?\s*\.\s*["']?${name}["']?\s*[.\]]`, "m").test(text);
  const isInline = new RegExp(String.raw`^\s*"?${key}"?\s*[.=]`, "m").test(text);
  const isOpen = [`"""`, "'''"].some((mark) => text.split(mark).length % 2 === 0);
  if (exists) throw refused(`it already has [${key}.${name}]`);
  if (isInline) throw refused(`it sets ${key} in another form`);
  if (isOpen) throw refused("a multi-line string is not closed");
  const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return `${text}${gap}${toToml(placement, entry)}`;
}

function refused(why: string): ToolError {
  return new ToolError("INVALID_INPUT", `the file cannot be merged into: ${why}`);
}

/** JSON strings are valid TOML strings. */
function toValue(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((one: Json) => toValue(one)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value).replaceAll("\u{7f}", String.raw`\u007f`);
  const fields = Object.entries(value).map(([field, one]) => `${JSON.stringify(field)} = ${toValue(one)}`);
  return `{ ${fields.join(", ")} }`;
}

/** The place of an entry: its name, in the object under `key`. */
export interface Placement {
  readonly key: string;
  readonly name: string;
}

/** Returns a JSON text with the entry added or replaced; everything else stays, comments included. Throws if the text is not JSON. */
export function mergeJson(text: string, { key, name }: Placement, entry: JsonObject): string {
  const plain = text.replace(/^\u{feff}/u, "").trimEnd();
  const whole = plain === "" ? {} : parse(plain);
  if (!isObject(whole)) throw refused("it is not an object");
  if (Object.hasOwn(whole, key) && !isObject(whole[key]))
    throw refused(`its ${JSON.stringify(key)} is not an object`);
  return `${editJsonc(plain, "the file", [key, name], entry)}\n`;
}

function parse(text: string): Json {
  try {
    return parseJsonc(text, "line");
  } catch (error) {
    throw refused(errorMessage(error));
  }
}
