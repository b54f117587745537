import type { Json, JsonObject } from "../../../core/json.ts";

const LONGEST = 300;

/** What a keyword demands, as a short sentence for a description; "" for one that demands nothing of the model. */
export function inWords(keyword: string, value: Json): string {
  const say = SENTENCES.get(keyword);
  if (say !== undefined) return say(value);
  return SILENT.has(keyword) ? "" : `Must also satisfy ${short({ [keyword]: value })}.`;
}

/** A description followed by sentences; the empty ones are left out. */
export function describe(description: Json | undefined, sentences: readonly string[]): JsonObject {
  const parts = [typeof description === "string" ? description : "", ...sentences].filter(
    (part) => part !== "",
  );
  return parts.length === 0 ? {} : { description: parts.join(" ") };
}

/** The JSON text of a value, cut to a length that a description can bear. */
export function short(value: Json, longest = LONGEST): string {
  const text = JSON.stringify(value);
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

const SENTENCES: ReadonlyMap<string, (value: Json) => string> = new Map<string, (value: Json) => string>([
  ["$ref", (value) => `As ${text(value)} says.`],
  ["pattern", (value) => `Must match ${text(value)} (a regular expression).`],
  ["format", (value) => `Format: ${text(value)}.`],
  ["minLength", (value) => `At least ${short(value)} characters.`],
  ["maxLength", (value) => `At most ${short(value)} characters.`],
  ["minimum", (value) => `At least ${short(value)}.`],
  ["maximum", (value) => `At most ${short(value)}.`],
  ["exclusiveMinimum", (value) => `More than ${short(value)}.`],
  ["exclusiveMaximum", (value) => `Less than ${short(value)}.`],
  ["multipleOf", (value) => `A multiple of ${short(value)}.`],
  ["minItems", (value) => `At least ${short(value)} items.`],
  ["maxItems", (value) => `At most ${short(value)} items.`],
  ["uniqueItems", (value) => (value === true ? "No item twice." : "")],
  ["minProperties", (value) => `At least ${short(value)} entries.`],
  ["maxProperties", (value) => `At most ${short(value)} entries.`],
  ["const", (value) => `Must be ${short(value)}.`],
  ["enum", (value) => `One of: ${listed(value)}.`],
  ["default", (value) => `Default: ${short(value)}.`],
  ["examples", (value) => `Examples: ${listed(value)}.`],
  ["deprecated", (value) => (value === true ? "Deprecated." : "")],
  ["contentEncoding", (value) => `Encoded as ${text(value)}.`],
  ["contentMediaType", (value) => `Holds ${text(value)}.`],
  ["additionalProperties", freeEntries],
  ["prefixItems", (value) => `Items in this order: ${short(value)}.`],
  ["not", (value) => `Must not fit ${short(value)}.`],
]);

/** They describe the schema rather than the value, or say what is meant without them. */
const SILENT: ReadonlySet<string> = new Set(
  "title description type properties required items readOnly writeOnly unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);

function text(value: Json): string {
  return typeof value === "string" ? value : short(value);
}

function freeEntries(value: Json): string {
  if (value === false) return "";
  const any = value === true || Object.keys(value as object).length === 0;
  return any
    ? "Takes further keys of any name."
    : `Takes keys of any name, each value fitting ${short(value)}.`;
}

function listed(values: Json): string {
  const items = values as readonly Json[];
  const shown = items.slice(0, 100).map((item) => short(item, 80));
  return shown.join(", ") + (items.length > shown.length ? ", …" : "");
}
