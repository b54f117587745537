import { ToolError } from "../../../core/errors.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

/** The place of an entry: its name, in the object under `key`. */
export interface Placement {
  readonly key: string;
  readonly name: string;
}

/** Returns a JSON text with the entry added or replaced, and everything else unchanged. Throws if the text is not plain JSON. */
export function mergeJson(text: string, { key, name }: Placement, entry: JsonObject): string {
  const whole = text.trim() === "" ? {} : parse(text);
  if (!isObject(whole)) throw unreadable("it is not an object");
  const servers = Object.hasOwn(whole, key) ? whole[key] : {};
  if (!isObject(servers)) throw unreadable(`its ${JSON.stringify(key)} is not an object`);
  const merged = { ...whole, [key]: { ...servers, [name]: entry } };
  return `${JSON.stringify(merged, undefined, indentOf(text))}\n`;
}

interface SourceText {
  readonly source?: string;
}

/** Missing in TypeScript's library. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** Keeps the digits of numbers, which may not fit a double. */
function parse(text: string): unknown {
  const keepDigits = (_key: string, value: unknown, context?: SourceText): unknown =>
    typeof value === "number" && context?.source !== undefined ? rawJSON(context.source) : value;
  try {
    return JSON.parse(text.replace(/^\u{feff}/u, ""), keepDigits);
  } catch (error) {
    throw unreadable(errorMessage(error), error);
  }
}

function unreadable(why: string, cause?: unknown): ToolError {
  return new ToolError("INVALID_INPUT", `the file cannot be merged into: ${why}`, { cause });
}

function indentOf(text: string): string {
  const [, indent = "  "] = /\n([ \t]+)"/.exec(text) ?? [];
  return indent;
}
