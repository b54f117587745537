import { isObject } from "../../../core/json.ts";
import {
  putBack,
  BROKEN,
  CUT_OFF,
  emitCalls,
  fault,
  NO_NAME,
  toCall,
  withRepair,
  type Context,
  type Fault,
} from "./context.ts";
import { calledBy, closes, type Frame } from "./frame.ts";
import { parseGemma } from "../values/parse-gemma.ts";
import { parsePythonCalls } from "../values/parse-python.ts";
import type { TextCall } from "./emitter.ts";
import { readCallTag } from "./read-call-tag.ts";
import { words, type Step } from "../scan/scan.ts";
import { peekTag, peekToken, type Token } from "../scan/tag.ts";
import { placeOf } from "./place.ts";
import type { Place } from "../values/guided-text.ts";
import { readGuided, readGuidedCalls, type Guided } from "../values/guided-value.ts";
import { isContinued, takeGuided, takeJson, takeValue } from "./take-value.ts";

/** How reading in a frame ended: an item was read, the item and the frame were, it is not a call, or it cannot be read. */
export type ItemOutcome = "read" | "done" | "unknown" | Fault;

const MAX_NAME = 160;
const NAME = /^(call:\s*)?(["'`]?[\p{L}_][\p{L}\p{N}_.\-/]*(?:["']|`(?!`))?)(:\d+)?(\s*(?:\\n\s*)*)/u;
const SEPARATORS = words("tool_sep tool_call_argument_begin");
const MISTRAL = /^(?:\[CALL_ID\]([\w-]+))?\[ARGS\]\s*/;

/** Reads a call that begins with the tool's name. */
export function* readNamed(context: Context, frame: Frame): Step<ItemOutcome> {
  const { source } = context;
  const head = yield* peekHead(context);
  if (head === undefined) return yield* readNumbered(context, frame);
  const { length, next, isGemma } = head;
  if (isGemma || next === "{" || next === "`") {
    source.at += length;
    return isGemma ? yield* readGemma(context, frame, head.name) : yield* readJsonInput(context, frame, head);
  }
  if (next === "(") return yield* readPython(context, frame);
  const before = source.offset;
  source.at += length;
  const outcome =
    next === "[" ? yield* readMistral(context, frame, head) : yield* readMarked(context, frame, head);
  if (outcome === "unknown") source.rewind(before);
  return outcome;
}

/** Reads a number in place of a name, as Kimi writes it: a call if only one tool accepts the input. */
function* readNumbered(context: Context, frame: Frame): Step<ItemOutcome> {
  const { source } = context;
  const before = source.offset;
  const [number] = /^\d{1,9}/.exec(yield* source.peek(10)) ?? [];
  if (number === undefined) return "unknown";
  source.at += number.length;
  const token = yield* peekToken(source);
  if (token?.name !== "tool_call_argument_begin") {
    source.rewind(before);
    return "unknown";
  }
  source.at += token.length;
  return yield* readJsonInput(context, frame, {});
}

const IDENTIFIED =
  /^([\w-]{0,64})\s{0,8}<\|tool_call:name\|>\s{0,8}([^<\s]{1,96})\s{0,8}<\|tool_call:args\|>/;
const MAX_IDENTIFIED = 256;

/** Reads a call that begins with its id, and has its name and input between tokens, as Solar writes it. */
export function* readIdentified(context: Context, frame: Frame): Step<ItemOutcome> {
  const { source } = context;
  const text = yield* source.peekUntil(MAX_IDENTIFIED, (some) => IDENTIFIED.test(some));
  const [whole, id = "", name = ""] = IDENTIFIED.exec(text) ?? [];
  if (whole === undefined) {
    const isWhole = new RegExp(frame.end?.() ?? "(?!)", "u").test(text);
    return source.isEnded && !isWhole ? CUT_OFF : BROKEN;
  }
  source.at += whole.length;
  return yield* readJsonInput(context, frame, { name, ...(id === "" ? {} : { id }) });
}

interface Head {
  readonly name: string;
  readonly isGemma: boolean;
  readonly id?: string;
  readonly length: number;
  /** The first character after the name and white space. */
  readonly next: string;
}

function* peekHead({ source }: Context): Step<Head | undefined> {
  for (;;) {
    const text = source.window.slice(source.at, source.at + MAX_NAME);
    const head = headOf(text);
    const isSure = head !== undefined && !["", ":", "\\"].includes(head.next);
    if (isSure || (head === undefined && !/^["'`]?$/.test(text))) return head;
    if (text.length >= MAX_NAME) return undefined;
    if (!(yield* source.more())) return head;
  }
}

function headOf(text: string): Head | undefined {
  const [whole, call, name = "", number = ""] = NAME.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const isGemma = call !== undefined;
  const id = number === "" ? {} : { id: name + number };
  return { name, ...id, isGemma, length: whole.length, next: text.charAt(whole.length) };
}

/** Reads the JSON of `name{…}`, which may be in a fence. */
export function* readJsonInput(
  context: Context,
  frame: Frame,
  head: { readonly name?: string; readonly id?: string },
): Step<ItemOutcome> {
  yield* skipFence(context);
  if (!(yield* context.source.peek(1)).startsWith("{")) return BROKEN;
  const { tools } = context;
  const inputPlace = (): Place | undefined => {
    const schema = head.name === undefined ? undefined : tools.schemaOf(tools.closestTo(head.name));
    return schema === undefined ? undefined : placeOf(schema);
  };
  const parsed = yield* takeJson(context, frame, inputPlace);
  if ("fault" in parsed) return parsed;
  const { value, repaired, repair } = parsed;
  if (!isObject(value)) return BROKEN;
  const name = head.name ?? context.tools.toolFor(value);
  if (name === undefined) return NO_NAME;
  emitCalls(context, [
    toCall(name, value, { repaired: repaired || head.name === undefined, repair, id: head.id }),
  ]);
  yield* skipFence(context);
  context.source.mark();
  return "read";
}

/** Takes an opening or closing fence. Returns false if there is none. */
export function* skipFence({ source }: Context): Step<boolean> {
  yield* source.peekPastSpace();
  if ((yield* source.peek(3)) !== "```") return false;
  source.at += 3;
  const language = yield* source.peekUntil(24, (text) => !/^[A-Za-z_]*$/.test(text));
  source.at += /^[A-Za-z_]*/.exec(language)?.[0].length ?? 0;
  yield* source.peekPastSpace();
  return true;
}

function* readGemma(context: Context, frame: Frame, name: string): Step<ItemOutcome> {
  const { source, tools } = context;
  const from = source.offset;
  if (!(yield* source.peek(1)).startsWith("{")) return BROKEN;
  const text = yield* takeValue(context, frame, "gemma");
  const schema = tools.schemaOf(tools.closestTo(name));
  const input = text === undefined ? undefined : parseGemma(text, schema);
  if (input !== undefined) {
    emitCalls(context, [toCall(name, input)]);
    return "read";
  }
  if (text !== undefined) putBack(context, from);
  const place = schema === undefined ? undefined : placeOf(schema);
  const reading = yield* takeGuided(
    context,
    frame,
    (damaged) => place && readGuided(damaged, place, "gemma"),
  );
  if ("fault" in reading) return reading;
  emitCalls(context, [toCall(name, reading.value, reading)]);
  return "read";
}

/** Reads `name(key=value)`, or a list of these. */
export function* readPython(context: Context, frame: Frame): Step<ItemOutcome> {
  const from = context.source.offset;
  const text = yield* takeValue(context, frame, "python");
  const isWhole = text !== undefined && !(yield* isContinued(context, frame));
  const calls = isWhole ? parsePythonCalls(text) : undefined;
  // Whether quotes belong to the text is decided with the schema, if there is one.
  const isCertain =
    calls !== undefined && (context.tools.isEmpty || calls.every(({ repaired }) => repaired !== true));
  if (isCertain) {
    emitCalls(context, withoutMethod(context, calls));
    return "read";
  }
  if (text !== undefined) putBack(context, from);
  const reading = yield* takeGuided(context, frame, (damaged) => guidedCalls(context, damaged));
  if ("fault" in reading) return reading;
  const guided = reading.value as unknown as readonly TextCall[];
  emitCalls(
    context,
    withoutMethod(context, guided).map((call) => withRepair(call, reading)),
  );
  return "read";
}

/** Reads damaged calls in Python notation by the schemas of their tools. */
export function guidedCalls({ tools }: Context, text: string): Guided {
  const inputOf = (name: string): Place | undefined => {
    const schema = tools.schemaOf(tools.closestTo(name));
    return schema === undefined ? undefined : placeOf(schema);
  };
  return readGuidedCalls(text, inputOf, tools.areCalledIn);
}

/** Removes the method from `tool.call(…)`, which Llama writes for built-in tools. */
export function withoutMethod({ tools }: Context, calls: readonly TextCall[]): readonly TextCall[] {
  return calls.map((call) =>
    tools.has(tools.nameOf(call.name)) ? call : { ...call, name: call.name.replace(/(?<=\w)\.call$/, "") },
  );
}

/** Reads `name[ARGS]{…}`, in some versions with the call's id before `[ARGS]`. */
function* readMistral(context: Context, frame: Frame, head: Head): Step<ItemOutcome> {
  const { source } = context;
  const text = yield* source.peek(64);
  const [whole, id = head.id] = MISTRAL.exec(text) ?? [];
  if (whole === undefined) return "unknown";
  source.at += whole.length;
  return yield* readJsonInput(context, frame, { name: head.name, ...(id === undefined ? {} : { id }) });
}

/** Reads a name before a separator, before the tags of its parameters, or alone in its frame. */
function* readMarked(context: Context, frame: Frame, head: Head): Step<ItemOutcome> {
  const { source } = context;
  const token = yield* peekToken(source);
  if (token !== undefined && SEPARATORS.has(token.name))
    return yield* readSeparated(context, frame, head, token);
  const tag = yield* peekTag(source);
  if (tag === undefined || frame.tag === undefined) return "unknown";
  const isParameters = tag.name === "tool_sep" || tag.name === "arg_key";
  if (!isParameters && !(closes(tag, frame) && tag.name === "tool_call")) return "unknown";
  if (tag.name === "tool_sep") source.at += tag.length;
  // The rest is read like the content of a call tag, which the frame's closing tag ends.
  return yield* readCallTag(context, frame, frame.tag, head.name);
}

function* readSeparated(context: Context, frame: Frame, head: Head, token: Token): Step<ItemOutcome> {
  const { source } = context;
  source.at += token.length;
  const next = yield* source.peekPastSpace();
  if (next === "{" || next === "`") return yield* readJsonInput(context, frame, head);
  // The kind of tool, before a tag that names it.
  const tag = next === "<" ? yield* peekTag(source) : undefined;
  if (tag !== undefined && calledBy(tag) !== undefined) return "read";
  // The older form has the kind of tool before the name.
  const second = yield* peekHead(context);
  if (second === undefined) return next === "" ? CUT_OFF : fault("it has no input");
  source.at += second.length;
  return yield* readJsonInput(context, frame, second);
}
