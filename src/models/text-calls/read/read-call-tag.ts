import { isObject, type JsonObject } from "../../../core/json.ts";
import { BROKEN, CUT_OFF, emitCalls, fault, NO_NAME, toCall, type Context, type Fault } from "./context.ts";
import { isTextOf, toInput, unwrapInput, type Entry } from "./entries.ts";
import { CALL_TAGS, FRAME_TAGS, calledBy, type Frame } from "./frame.ts";
import { skipElement, type OpenCall, type ReadValue } from "./end-value.ts";
import { readElement } from "./read-element.ts";
import { readValue } from "./read-value.ts";
import { knownKey, readToTag, skipWords, type RepairedCall } from "./repair-parameters.ts";
import { words, type Step } from "../scan/scan.ts";
import { peekTag, type Tag } from "../scan/tag.ts";
import { placeOf } from "./place.ts";
import { takeJson } from "./take-value.ts";
import type { Untyped } from "../values/typed-text.ts";

/** Tags around the name of the tool, in calls whose own tag does not have it. */
export const NAME_TAGS = words("tool_name function_name name");
const PARAMETER_TAGS = words("parameter param argument arg");
const CONTAINER_TAGS = words("parameters arguments args params input tool_input");

/** The state of reading a call tag. */
interface Reading extends OpenCall, RepairedCall {
  readonly frame: Frame;
  name: string | undefined;
  /** Whether the name is in a tag of its own. */
  readonly isNamedInside: boolean;
  readonly entries: Entry[];
  /** The input, if it is written as JSON. */
  json: JsonObject | undefined;
  container: string | undefined;
  /** Whether its parameters are `<param>`: models that write this never forget to close the call. */
  isShort: boolean;
  pendingKey: string | undefined;
}

/** The result of a step: more follows, the call ended, or it cannot be read. */
type Found = "more" | "end" | Fault;

/** Reads a call whose tag has just been taken, up to and with its closing tag. Without a name, the name is in a tag inside. */
export function* readCallTag(
  context: Context,
  frame: Frame,
  tag: Tag,
  name?: string,
): Step<"done" | "unknown" | Fault> {
  const reading: Reading = {
    tag,
    name,
    isNamedInside: name === undefined,
    frame,
    entries: [],
    json: undefined,
    container: undefined,
    isShort: false,
    pendingKey: undefined,
    keyInside: undefined,
    isLoose: false,
    end: undefined,
    isRepaired: false,
    repairs: [],
  };
  if (tag.isSelfClosing) return finish(context, reading);
  const first = yield* context.source.peekPastSpace();
  if (first !== "" && !"<{]\\".includes(first) && !(yield* skipWords(context, reading))) return "unknown";
  for (;;) {
    const outcome = yield* readNext(context, reading);
    // Such a call counts only if the enclosing tag is closed too.
    const mayBeCut = outcome === "end" && reading.isNamedInside && isEnclosed(frame);
    if (mayBeCut && (yield* context.source.peekPastSpace()) === "") return CUT_OFF;
    if (outcome === "end") return finish(context, reading);
    if (outcome !== "more") return outcome;
  }
}

function isEnclosed({ tag, parent }: Frame): boolean {
  return parent !== undefined && parent.tag?.name !== tag?.name;
}

function* readNext(context: Context, reading: Reading): Step<Found> {
  const { source } = context;
  const next = yield* source.peekPastSpace();
  if (next === "") return atEnd(context, reading);
  if (next === "{" && reading.entries.length === 0 && reading.json === undefined)
    return yield* readJson(context, reading);
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
    return (yield* skipWords(context, reading)) ? "more" : fault("there is text between its parameters");
  }
  if (isImpliedEnd(tag, reading)) {
    reading.isRepaired = true;
    return "end";
  }
  if (isNextCall(context, reading, tag)) return fault("the next call begins before it is closed");
  if (!tag.isClosing) {
    source.at += tag.length;
    return yield* readOpening(context, reading, tag);
  }
  const outcome = readClosing(tag, reading);
  // A closing tag after something unreadable is not taken: it ends this call, not the next one.
  if (typeof outcome === "string") source.at += tag.length;
  return outcome;
}

function* readJson(context: Context, reading: Reading): Step<Found> {
  const { tools } = context;
  const schema = reading.name === undefined ? undefined : tools.schemaOf(tools.closestTo(reading.name));
  const parsed = yield* takeJson(context, reading.frame, () =>
    schema === undefined ? undefined : placeOf(schema),
  );
  if ("fault" in parsed) return parsed;
  if (!isObject(parsed.value)) return BROKEN;
  reading.json = parsed.value;
  reading.isRepaired ||= parsed.repaired;
  if (parsed.repair !== undefined) reading.repairs.push(parsed.repair);
  return "more";
}

/** Completes a call whose closing tag is missing after a closed parameter, unless the model was cut off. Nothing else is completed. */
function atEnd({ reason, source, tools }: Context, reading: Reading): Found {
  const isWhole =
    reading.entries.length > 0 && reading.pendingKey === undefined && reading.container === undefined;
  const isRepairable = reading.tag.name === "function" && !reading.isShort;
  // A parameter of the tool that is not there may have been cut off.
  const properties = Object.keys(tools.propertiesOf(reading.name) ?? {});
  const isMissing = properties.some((key) => !reading.entries.some((entry) => entry.key === key));
  if (!isWhole || !isRepairable || reason === "length" || isMissing) return CUT_OFF;
  source.at = source.window.length;
  reading.isRepaired = true;
  return "end";
}

/** Returns whether a tag ends this call implicitly: the next call, or the end of the enclosing frame. */
function isImpliedEnd(tag: Tag, { tag: own, entries, container }: Reading): boolean {
  if (own.name !== "function" || entries.length === 0 || container !== undefined) return false;
  return tag.isClosing ? FRAME_TAGS.has(tag.name) && tag.name !== own.name : calledBy(tag) !== undefined;
}

/** Returns whether a tag is a marker, and not a parameter of that name. */
function isNextCall({ tools }: Context, { name, tag: own }: Reading, tag: Tag): boolean {
  const isMarker = CALL_TAGS.has(tag.name) || FRAME_TAGS.has(tag.name) || tools.has(tag.written);
  if (tag.isClosing || !isMarker) return false;
  if (tag.name === own.name || calledBy(tag) !== undefined) return true;
  const properties = tools.propertiesOf(name);
  return properties !== undefined && !Object.hasOwn(properties, tag.written);
}

function readClosing(tag: Tag, reading: Reading): Found {
  if (reading.container !== undefined && tag.name === reading.container) {
    reading.container = undefined;
    return "more";
  }
  if (tag.name !== reading.tag.name) return fault(`</${tag.written}> closes nothing`);
  if (reading.container !== undefined) return fault(`<${reading.container}> is not closed`);
  if (reading.name === undefined) return NO_NAME;
  return reading.pendingKey === undefined ? "end" : fault(`"${reading.pendingKey}" has no value`);
}

function* readOpening(context: Context, reading: Reading, tag: Tag): Step<Found> {
  if (tag.name === "arg_key") return yield* readKey(context, reading, tag);
  if (reading.name === undefined && NAME_TAGS.has(tag.name)) return yield* readName(context, reading, tag);
  const parameterName = tag.value ?? tag.attributes["name"] ?? tag.attributes["key"];
  if (CONTAINER_TAGS.has(tag.name) && parameterName === undefined && reading.container === undefined) {
    reading.container = tag.isSelfClosing ? undefined : tag.name;
    return "more";
  }
  const isOutside = reading.container === undefined && (reading.isNamedInside || reading.json !== undefined);
  if (isOutside) return fault(`<${tag.written}> is not expected here`);
  return yield* readParameter(context, reading, tag, parameterName);
}

function* readParameter(context: Context, reading: Reading, tag: Tag, attribute?: string): Step<Found> {
  const { source } = context;
  const name = keyOf(context, reading, tag, attribute) ?? (yield* readKeyInside(context, reading, tag));
  const key = name === undefined ? undefined : knownKey(context, reading, name);
  if (key === undefined) return fault("it has a value without a name");
  if (reading.entries.some((entry) => entry.key === key)) return fault(`it has two values for "${key}"`);
  const from = source.offset;
  const isAfterKey = reading.keyInside !== undefined;
  reading.keyInside = undefined;
  const value = yield* isAfterKey ? readToTag(context, reading, tag) : readContent(context, reading, tag);
  if (value === undefined) return { fault: `<${tag.name}> is not closed`, mayBeCut: true };
  // The damaged tag of another parameter.
  const properties = value.isRepaired ? context.tools.propertiesOf(reading.name) : undefined;
  if (properties !== undefined && !Object.hasOwn(properties, key))
    return fault(`<${tag.name}> is not closed, and "${key}" is no parameter`);
  reading.pendingKey = undefined;
  reading.isShort ||= tag.name === "param";
  reading.isRepaired ||= value.isRepaired || value.repair !== undefined;
  if (value.repair !== undefined) reading.repairs.push(value.repair);
  const entry = toEntry(reading, tag, key, { from, to: value.to });
  reading.entries.push(value.isRepaired ? { ...entry, breaks: "each" } : entry);
  return "more";
}

/** Reads the name of a parameter that is between its tags, before the value: only one that the tool has. */
function* readKeyInside(context: Context, reading: Reading, tag: Tag): Step<string | undefined> {
  const { source, tools } = context;
  const from = source.offset;
  const end = yield* skipElement(context, reading, tag);
  const key = end === undefined ? "" : source.taken().slice(from, end.to).trim();
  const properties = tools.propertiesOf(reading.name);
  const isKnown = properties !== undefined && Object.hasOwn(properties, key);
  if (!isKnown) source.rewind(from);
  reading.keyInside = isKnown ? key : undefined;
  return reading.keyInside;
}

function keyOf(context: Context, reading: Reading, tag: Tag, written?: string): string | undefined {
  if (tag.name === "arg_value") return reading.pendingKey;
  if (!PARAMETER_TAGS.has(tag.name)) return tag.written;
  return written?.trim() ?? (isOwnName(context, reading, tag) ? tag.written : undefined);
}

/** Returns whether `<param>` is a parameter of that name, because the tool has one or all of its parameters are tags. */
function isOwnName({ tools }: Context, { name, tag: own }: Reading, tag: Tag): boolean {
  const properties = tools.propertiesOf(name);
  if (properties !== undefined) return Object.hasOwn(properties, tag.written);
  return !CALL_TAGS.has(own.name);
}

function* readContent(context: Context, reading: Reading, tag: Tag): Step<ReadValue | undefined> {
  if (tag.isSelfClosing) return { to: context.source.offset, isRepaired: false };
  if (PARAMETER_TAGS.has(tag.name)) return yield* readValue(context, reading, tag);
  const names = Object.keys(context.tools.propertiesOf(reading.name) ?? {});
  return yield* readElement(context, reading, tag, names);
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
  return value !== undefined && !/^seed:/i.test(frame.parent?.tag?.written ?? "");
}

function* readKey(context: Context, reading: Reading, tag: Tag): Step<Found> {
  const { source } = context;
  const from = source.offset;
  const element = yield* skipElement(context, reading, tag);
  if (element === undefined || reading.pendingKey !== undefined)
    return { fault: "it has a name without a value", mayBeCut: true };
  reading.pendingKey = source.taken().slice(from, element.to).trim();
  return "more";
}

function* readName(context: Context, reading: Reading, tag: Tag): Step<Found> {
  const { source } = context;
  const from = source.offset;
  const element = yield* skipElement(context, reading, tag);
  if (element === undefined) return BROKEN;
  const name = source.taken().slice(from, element.to).trim();
  reading.name = name === "" ? undefined : name;
  return reading.name === undefined ? NO_NAME : "more";
}

function finish(context: Context, reading: Reading): "done" | Fault {
  const { tag, json, entries, frame, isRepaired, isNamedInside } = reading;
  if (reading.name === undefined) return NO_NAME;
  const name = context.tools.closestTo(reading.name);
  const schema = context.tools.schemaOf(name);
  const hasEntities = isNamedInside || (frame.parent === undefined && tag.name === "function");
  const rawInput = json ?? toInput(context.source.taken(), entries, schema, hasEntities);
  const input = json ?? unwrapInput(rawInput, schema);
  const repair = reading.repairs.length === 0 ? undefined : reading.repairs.join(", ");
  emitCalls(context, [toCall(name, input, { repaired: isRepaired || input !== rawInput, repair })]);
  return "done";
}
