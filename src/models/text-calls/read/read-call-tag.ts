import { isObject } from "../../../core/json.ts";
import { CUT_OFF, emitCalls, emitProblem, toCall, type Context } from "./context.ts";
import { isTextOf, jsonInput, toInput, unwrapInput, type Entry } from "./entries.ts";
import { CALL_TAGS, FRAME_TAGS, calledBy, type Frame } from "./frame.ts";
import { readValue, skipElement, type OpenCall, type ReadValue } from "./read-value.ts";
import { scanTo, scanValue, words, type Step } from "../scan/scan.ts";
import { closingSource, peekTag, type Tag } from "../scan/tag.ts";
import type { Untyped } from "../values/typed-text.ts";

/** How reading ended: with calls or problems emitted, or with the result that this is text. */
export type Outcome = "read" | "text";

/** The white space allowed between a marker and its call. */
export const MAX_SPACE = 256;

const PARAMETER_TAGS = words("parameter param argument arg");
const CONTAINER_TAGS = words("parameters arguments args params input");

/** The state of reading a call tag. */
interface Reading extends OpenCall {
  readonly frame: Frame | undefined;
  readonly entries: Entry[];
  json: { from: number; to: number } | undefined;
  container: string | undefined;
  /** Whether its parameters are `<param>`: models that write this never forget to close the call. */
  isShort: boolean;
  pendingKey: string | undefined;
  isRepaired: boolean;
}

/** The result of a step: more follows, the call ended, or it cannot be read. */
type Found = "more" | "end" | { readonly fault: string };

/** Reads a call whose tag has just been taken, up to and with its closing tag. */
export function* readCallTag(context: Context, tag: Tag, name: string, frame?: Frame): Step<Outcome> {
  const { source } = context;
  const reading: Reading = {
    tag,
    name,
    frame,
    entries: [],
    json: undefined,
    container: undefined,
    isShort: false,
    pendingKey: undefined,
    isLoose: false,
    isRepaired: false,
  };
  if (tag.isSelfClosing) return finish(context, reading);
  const first = yield* source.peekPastSpace(MAX_SPACE);
  if (first !== "" && !"<{]".includes(first)) return "text";
  for (;;) {
    const found = yield* readNext(context, reading);
    if (found === "end") return finish(context, reading);
    if (found !== "more") return yield* skipBroken(context, reading, found.fault);
  }
}

function* readNext(context: Context, reading: Reading): Step<Found> {
  const { source } = context;
  const next = yield* source.peekPastSpace();
  if (next === "") return atEnd(context, reading);
  if (next === "{" && reading.entries.length === 0 && reading.json === undefined) {
    return yield* readJson(context, reading);
  }
  // A line break that was escaped twice.
  if (next === "\\" && (yield* source.peek(2)) === "\\n") {
    source.at += 2;
    return "more";
  }
  const tag = yield* peekTag(source);
  if (tag === undefined) {
    const rest = source.window.slice(source.at);
    if (source.isEnded && `</${reading.tag.written}>`.startsWith(rest.trimEnd()))
      return atEnd(context, reading);
    return { fault: "there is text between its parameters" };
  }
  if (isImpliedEnd(tag, reading)) {
    reading.isRepaired = true;
    return "end";
  }
  if (!tag.isClosing) {
    source.at += tag.length;
    return yield* readOpening(context, reading, tag);
  }
  const found = readClosing(tag, reading);
  // A closing tag after something unreadable is not taken: it ends this call, not the next one.
  if (typeof found === "string") source.at += tag.length;
  return found;
}

/** Takes JSON up to its end or, if it is broken, up to the closing tag, to be repaired later. */
function* readJson(context: Context, reading: Reading): Step<Found> {
  const { source, patterns } = context;
  const from = source.offset;
  const isWhole = yield* scanValue(source, "json");
  const isClosed = isWhole || (yield* scanTo(source, patterns.of(endOf(reading.tag)))) !== undefined;
  reading.json = { from, to: source.offset };
  return isClosed ? "more" : { fault: CUT_OFF };
}

/** Completes a call whose closing tag is missing after a closed parameter, unless the model was cut off. Nothing else is completed. */
function atEnd({ reason, source }: Context, reading: Reading): Found {
  const isWhole =
    reading.entries.length > 0 && reading.pendingKey === undefined && reading.container === undefined;
  const isRepairable = reading.tag.name === "function" && !reading.isShort;
  if (!isWhole || !isRepairable || reason === "length") return { fault: CUT_OFF };
  source.at = source.window.length;
  reading.isRepaired = true;
  return "end";
}

/** Returns whether a tag ends this call implicitly: the next call, or the end of the enclosing frame. */
function isImpliedEnd(tag: Tag, { tag: own, entries, container }: Reading): boolean {
  if (own.name !== "function" || entries.length === 0 || container !== undefined) return false;
  return tag.isClosing ? FRAME_TAGS.has(tag.name) && tag.name !== own.name : calledBy(tag) !== undefined;
}

function readClosing(tag: Tag, reading: Reading): Found {
  if (reading.container !== undefined && tag.name === reading.container) {
    reading.container = undefined;
    return "more";
  }
  if (tag.name !== reading.tag.name) return { fault: `</${tag.written}> closes nothing` };
  if (reading.container !== undefined) return { fault: `<${reading.container}> is not closed` };
  return reading.pendingKey === undefined ? "end" : { fault: `"${reading.pendingKey}" has no value` };
}

function* readOpening(context: Context, reading: Reading, tag: Tag): Step<Found> {
  const { source } = context;
  if (tag.name === "arg_key") return yield* readKey(context, reading, tag);
  const written = tag.value ?? tag.attributes["name"] ?? tag.attributes["key"];
  if (CONTAINER_TAGS.has(tag.name) && written === undefined && reading.container === undefined) {
    reading.container = tag.isSelfClosing ? undefined : tag.name;
    return "more";
  }
  const key = keyOf(context, reading, tag, written);
  if (key === undefined) return { fault: "it has a value without a name" };
  if (reading.entries.some((entry) => entry.key === key)) return { fault: `it has two values for "${key}"` };
  const from = source.offset;
  const value = yield* readContent(context, reading, tag);
  if (value === undefined) return { fault: source.isEnded ? CUT_OFF : `<${tag.written}> is not closed` };
  reading.pendingKey = undefined;
  reading.isShort ||= tag.name === "param";
  reading.isRepaired ||= value.isRepaired;
  reading.entries.push(toEntry(reading, tag, key, { from, to: value.to }));
  return "more";
}

function keyOf(context: Context, reading: Reading, tag: Tag, written?: string): string | undefined {
  if (tag.name === "arg_value") return reading.pendingKey;
  if (!PARAMETER_TAGS.has(tag.name)) return tag.written;
  return written?.trim() ?? (isOwnName(context, reading, tag) ? tag.written : undefined);
}

/** Returns whether `<param>` is a parameter of that name, because the tool has one or all of its parameters are tags. */
function isOwnName({ tools }: Context, { name, tag: own }: Reading, tag: Tag): boolean {
  const properties = tools.schemaOf(tools.nameOf(name))?.["properties"];
  if (isObject(properties)) return Object.hasOwn(properties, tag.written);
  return !CALL_TAGS.has(own.name);
}

function* readContent(context: Context, reading: Reading, tag: Tag): Step<ReadValue | undefined> {
  if (tag.isSelfClosing) return { to: context.source.offset, isRepaired: false };
  if (PARAMETER_TAGS.has(tag.name)) return yield* readValue(context, reading, tag);
  const to = yield* skipElement(context, tag, reading.tag);
  return to === undefined ? undefined : { to, isRepaired: false };
}

function toEntry(reading: Reading, tag: Tag, key: string, place: { from: number; to: number }): Entry {
  const isOwnName = !PARAMETER_TAGS.has(tag.name) && tag.name !== "arg_value";
  const isJson = tag.name === "arg_value" || /^atem:/i.test(reading.tag.written);
  const untyped: Untyped = isJson ? "json" : "text";
  const breaks = tag.name === "arg_value" ? "none" : isOnLines(reading, tag) ? "each" : "both";
  const isText = isTextOf(tag.attributes);
  return { ...place, key, form: tag.form, breaks, untyped, isText, isNested: isOwnName };
}

/** Returns whether a dialect puts values on lines of their own: those with `=name` do, except Seed OSS. */
function isOnLines({ frame }: Reading, { value }: Tag): boolean {
  return value !== undefined && !/^seed:/i.test(frame?.tag?.written ?? "");
}

function* readKey(context: Context, reading: Reading, tag: Tag): Step<Found> {
  const { source } = context;
  const from = source.offset;
  const to = yield* skipElement(context, tag, reading.tag);
  if (to === undefined || reading.pendingKey !== undefined) {
    return { fault: source.isEnded ? CUT_OFF : "it has a name without a value" };
  }
  reading.pendingKey = source.taken().slice(from, to).trim();
  return "more";
}

function finish(context: Context, reading: Reading): Outcome {
  const raw = context.source.taken();
  const { tag, json, entries, frame, isRepaired } = reading;
  const name = context.tools.nameOf(reading.name);
  if (json === undefined) {
    const hasEntities = frame === undefined && tag.name === "function";
    const schema = context.tools.schemaOf(name);
    const written = toInput(raw, entries, schema, hasEntities);
    const input = unwrapInput(written, schema);
    emitCalls(context, frame, [toCall(name, input, isRepaired || input !== written)]);
    return "read";
  }
  const parsed = jsonInput(raw.slice(json.from, json.to));
  if (parsed === undefined) return emitProblem(context, "its input is not valid JSON");
  emitCalls(context, frame, [toCall(name, parsed.input, parsed.repaired)]);
  return "read";
}

/** Skips the rest of a call that cannot be read. */
function* skipBroken(context: Context, { tag }: Reading, fault: string): Step<Outcome> {
  const found = yield* scanTo(context.source, context.patterns.of(endOf(tag)));
  context.source.at += found?.[0].length ?? 0;
  return emitProblem(context, fault);
}

function endOf({ form, name }: Tag): string {
  return closingSource(form, name);
}
