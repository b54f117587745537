import { isObject, type Json } from "../../../core/json.ts";
import { shortened } from "../../../util/text/shortened.ts";
import { visibleLine } from "../../../util/text/visible.ts";

/** Parameters that tell what a call is about, the most telling first. */
const TELLING = ["command", "path", "file_path", "url", "query", "pattern", "text", "task", "code", "name"];

/** Returns the input of a call in one line of at most `maxCharacters`: the telling parameter first, then the others by name. */
export function summarizeInput(input: Json, maxCharacters = 200): string {
  if (!isObject(input)) return shortened(visibleLine(typeof input === "string" ? input : ""), maxCharacters);
  const telling = TELLING.find((name) => typeof input[name] === "string");
  const first = telling === undefined ? [] : [textOf(input[telling])];
  const others = Object.entries(input)
    .filter(([name]) => name !== telling)
    .map(([name, value]) => `${name}=${textOf(value)}`);
  return shortened(visibleLine([...first, ...others].join(" ")), maxCharacters);
}

/** Long values are cut before they are cleaned: inputs can have megabytes. */
function textOf(value: Json | undefined): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.slice(0, 1000);
}
