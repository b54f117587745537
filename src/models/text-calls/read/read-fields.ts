import type { JsonObject } from "../../../core/json.ts";
import { CUT_OFF, NO_NAME, type Context } from "./context.ts";
import { jsonInput, toInput, type Entry } from "./entries.ts";
import type { TextCall } from "./emitter.ts";
import { skipElement } from "./read-value.ts";
import { scanTo, scanValue, words, type Source, type Step } from "../scan/scan.ts";
import { peekTag, type Tag } from "../scan/tag.ts";

export const NAME_TAGS = words("tool_name function_name name");
const INPUT_TAGS = words("parameters arguments args params input tool_input");

/** The call, or why it cannot be read. */
type ReadFields = { readonly call: TextCall } | { readonly fault: string };

/** Reads `<tool_name>` and `<parameters>` up to the closing tag of the enclosing frame, which is not taken. */
export function* readFields(context: Context, around: Tag): Step<ReadFields> {
  const { source } = context;
  let name: string | undefined;
  let place: Place | undefined;
  for (;;) {
    if ((yield* source.peekPastSpace()) === "") return { fault: CUT_OFF };
    const tag = yield* peekTag(source);
    if (tag === undefined) return { fault: "there is text between its parts" };
    if (tag.isClosing) {
      if (tag.name !== around.name) return { fault: `</${tag.written}> closes nothing` };
      return conclude(context, name, place);
    }
    source.at += tag.length;
    if (NAME_TAGS.has(tag.name) && name === undefined) name = yield* readName(context, tag);
    else if (INPUT_TAGS.has(tag.name) && place === undefined) place = yield* readInput(context, tag);
    else return { fault: `<${tag.written}> is not expected here` };
    if (name === undefined || (INPUT_TAGS.has(tag.name) && place === undefined)) {
      return { fault: source.isEnded ? CUT_OFF : `<${tag.written}> is not closed` };
    }
  }
}

function conclude(context: Context, name: string | undefined, place: Place | undefined): ReadFields {
  const { tools } = context;
  if (name === undefined) return { fault: NO_NAME };
  const duplicate = duplicateKey(place);
  if (duplicate !== undefined) return { fault: `it has two values for "${duplicate}"` };
  const tool = tools.nameOf(name);
  const read = inputOf(context, place, tools.schemaOf(tool));
  return read === undefined ? { fault: "its input is not valid JSON" } : { call: { name: tool, ...read } };
}

function* readName(context: Context, tag: Tag): Step<string | undefined> {
  const { source, patterns } = context;
  const from = source.offset;
  const found = yield* scanTo(source, patterns.of("<"));
  const closing = found === undefined ? undefined : yield* peekTag(source);
  if (closing?.isClosing !== true || closing.name !== tag.name) return undefined;
  const name = source.taken().slice(from).trim();
  source.at += closing.length;
  return name === "" ? undefined : name;
}

/** The input in the text: as JSON, or as one tag for each parameter. */
type Place = { readonly from: number; readonly to: number } | { readonly entries: readonly Entry[] };

function* readInput(context: Context, tag: Tag): Step<Place | undefined> {
  const { source } = context;
  const entries: Entry[] = [];
  let place: Place = { entries };
  if (tag.isSelfClosing) return place;
  if ((yield* source.peekPastSpace()) === "{") {
    const from = source.offset;
    if (!(yield* scanValue(source, "json"))) return undefined;
    place = { from, to: source.offset };
  }
  for (;;) {
    yield* source.peekPastSpace();
    const child = yield* peekTag(source);
    if (child === undefined) return undefined;
    source.at += child.length;
    if (child.isClosing) return child.name === tag.name ? place : undefined;
    const entry = "entries" in place ? yield* readEntry(context, child, tag) : undefined;
    if (entry === undefined) return undefined;
    entries.push(entry);
  }
}

function* readEntry(context: Context, tag: Tag, around: Tag): Step<Entry | undefined> {
  const key = tag.value ?? tag.attributes["name"] ?? tag.written;
  const from = context.source.offset;
  const to = tag.isSelfClosing ? from : yield* skipElement(context, tag, around);
  if (to === undefined) return undefined;
  return { key, from, to, form: tag.form, breaks: "both", untyped: "text", isNested: true };
}

/** Returns a parameter that has two values, of which either may be meant. */
function duplicateKey(place: Place | undefined): string | undefined {
  if (place === undefined || !("entries" in place)) return undefined;
  const keys = place.entries.map(({ key }) => key);
  return keys.find((key, index) => keys.indexOf(key) < index);
}

function inputOf(
  { source }: { source: Source },
  place: Place | undefined,
  schema: JsonObject | undefined,
): { readonly input: JsonObject; readonly repaired?: true } | undefined {
  const raw = source.taken();
  if (place === undefined) return { input: {} };
  if ("entries" in place) return { input: toInput(raw, place.entries, schema, true) };
  const parsed = jsonInput(raw.slice(place.from, place.to));
  if (parsed === undefined) return undefined;
  return { input: parsed.input, ...(parsed.repaired ? { repaired: true } : {}) };
}
