import type { Json, JsonObject } from "../../core/json.ts";
import { counted } from "../../util/text/words.ts";

const LONGEST = 300;

/** Returns the requirement of a keyword as a sentence, or "" for a keyword without one. */
export function toSentence(keyword: string, value: Json): string {
  const write = SENTENCES.get(keyword);
  if (write !== undefined) return write(value);
  return WITHOUT_SENTENCE.has(keyword) ? "" : `Must also satisfy ${shortJson({ [keyword]: value })}.`;
}

/** Returns a `description` followed by the non-empty sentences. */
export function withSentences(description: Json | undefined, sentences: readonly string[]): JsonObject {
  const parts = [typeof description === "string" ? description : "", ...sentences].filter(
    (part) => part !== "",
  );
  return parts.length === 0 ? {} : { description: parts.join(" ") };
}

/** Returns the JSON text of a value, cut for a description. */
export function shortJson(value: Json, longest = LONGEST): string {
  const text = JSON.stringify(value);
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

const SENTENCES: ReadonlyMap<string, (value: Json) => string> = new Map<string, (value: Json) => string>([
  ["$ref", (value) => `As ${text(value)} says.`],
  ["pattern", (value) => `Must match ${text(value)} (a regular expression).`],
  ["format", (value) => `Format: ${text(value)}.`],
  ["minLength", (value) => `At least ${counted(shortJson(value), "character")}.`],
  ["maxLength", (value) => `At most ${counted(shortJson(value), "character")}.`],
  ["minimum", (value) => `At least ${shortJson(value)}.`],
  ["maximum", (value) => `At most ${shortJson(value)}.`],
  ["exclusiveMinimum", (value) => `More than ${shortJson(value)}.`],
  ["exclusiveMaximum", (value) => `Less than ${shortJson(value)}.`],
  ["multipleOf", (value) => `A multiple of ${shortJson(value)}.`],
  ["minItems", (value) => `At least ${counted(shortJson(value), "item")}.`],
  ["maxItems", (value) => `At most ${counted(shortJson(value), "item")}.`],
  ["uniqueItems", (value) => (value === true ? "No item twice." : "")],
  ["minProperties", (value) => `At least ${counted(shortJson(value), "entry", "entries")}.`],
  ["maxProperties", (value) => `At most ${counted(shortJson(value), "entry", "entries")}.`],
  ["const", (value) => `Must be ${shortJson(value)}.`],
  ["enum", (value) => `One of: ${listed(value)}.`],
  ["default", (value) => `Default: ${shortJson(value)}.`],
  ["examples", (value) => `Examples: ${listed(value)}.`],
  ["deprecated", (value) => (value === true ? "Deprecated." : "")],
  ["contentEncoding", (value) => `Encoded as ${text(value)}.`],
  ["contentMediaType", (value) => `Holds ${text(value)}.`],
  ["additionalProperties", freeEntries],
  ["prefixItems", (value) => `Items in this order: ${shortJson(value)}.`],
  ["not", (value) => `Must not fit ${shortJson(value)}.`],
]);

/** Keywords about the schema rather than the value, or with a form of their own. */
const WITHOUT_SENTENCE: ReadonlySet<string> = new Set(
  "title description type properties required items readOnly writeOnly unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);

function text(value: Json): string {
  return typeof value === "string" ? value : shortJson(value);
}

function freeEntries(value: Json): string {
  if (value === false) return "";
  const any = value === true || Object.keys(value as object).length === 0;
  return any
    ? "Takes further keys of any name."
    : `Takes keys of any name, each value fitting ${shortJson(value)}.`;
}

function listed(values: Json): string {
  const items = values as readonly Json[];
  const firstItems = items.slice(0, 100).map((item) => shortJson(item, 80));
  return firstItems.join(", ") + (items.length > firstItems.length ? ", …" : "");
}
