import { BROKEN, CUT_OFF, emitCalls, emitProblem, toCall, type Context } from "./context.ts";
import type { TextCall } from "./emitter.ts";
import type { Frame } from "./frame.ts";
import { callPlace, placeOf } from "./place.ts";
import { guidedCalls, withoutMethod } from "./read-named.ts";
import { scanTo, type Step } from "../scan/scan.ts";
import { isContinued, takeValue, toBoundary } from "./take-value.ts";
import { isCallKey, toCalls } from "./to-calls.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { parseJson } from "../../../util/json/parse-json.ts";
import { repairJson } from "../../../util/json/repair-json.ts";
import { readGuided } from "../values/guided-value.ts";
import { parsePythonCalls } from "../values/parse-python.ts";

const MAX_HEAD = 160;
const JSON_HEAD = /^(\[\s{0,32})?\{\s{0,64}["']([\w]{1,24})["']\s{0,8}:/;
const PYTHON_HEAD = /^\[\s{0,32}([\p{L}_][\p{L}\p{N}_.]{0,96})\s?\(/u;
/** Beginnings of these. */
const JSON_START = /^(?:\[\s{0,32})?(?:\{\s{0,64}(?:["']\w{0,24}(?:["']\s{0,8}:?)?)?)?$/;
const PYTHON_START = /^\[\s{0,32}(?:[\p{L}_][\p{L}\p{N}_.]{0,96}\s?\(?)?$/u;

/** Calls without a marker end where another call may begin. */
const UNMARKED: Frame = {
  closers: [],
  end: undefined,
  start: () => String.raw`<[|｜\w]|\[TOOL_CALLS\]|\n[ \t]{0,16}[{[]|;[ ]?\{`,
};

/**
 * Reads calls without a marker: JSON with a name and an input, or a Python list of calls. Returns false if it is something else, with
 * nothing taken or all of it emitted as text.
 */
export function* readBare(context: Context, isAtLineStart: boolean): Step<boolean> {
  const kind = yield* kindOf(context, isAtLineStart);
  if (kind === undefined) return false;
  context.source.mark();
  const whole = yield* takeValue(context, UNMARKED, kind);
  const isBroken = whole === undefined || (yield* isContinued(context, UNMARKED));
  const calls = isBroken ? undefined : callsOf(context, whole, kind);
  if (calls === undefined) {
    if (yield* readDamaged(context, whole, kind, isBroken)) return true;
  } else emitCalls(context, calls);
  yield* skipSeparator(context);
  return true;
}

type Kind = "json" | "python";

/** Reads what has no plain meaning. Returns false if it was emitted as text or as a problem. */
function* readDamaged(
  context: Context,
  whole: string | undefined,
  kind: Kind,
  isKnownBroken: boolean,
): Step<boolean> {
  const { source, emitter } = context;
  const end = source.offset;
  const isBroken = whole === undefined || isKnownBroken || isUnreadable(context, whole, kind);
  const isCall = isBroken && (whole === undefined || looksLikeCall(context, whole, kind));
  const isEnded = isCall && (yield* toBoundary(context, UNMARKED)) !== undefined;
  const isCertain = isCall && (isEnded || context.reason !== "length");
  const guided = isCertain ? guidedIn(context, source.taken(), kind) : undefined;
  if (guided !== undefined) {
    source.rewind(guided.end);
    emitCalls(context, guided.calls);
    yield* skipSeparator(context);
    return true;
  }
  if (whole !== undefined) source.rewind(end);
  if (isBroken && looksLikeCall(context, source.taken(), kind))
    emitProblem(context, whole === undefined && !isEnded ? CUT_OFF : BROKEN);
  else emitter.text(source.taken());
  source.mark();
  return false;
}

/** Reads damaged calls of known tools; undefined if they have no certain meaning. What follows them is text. */
function guidedIn(
  context: Context,
  text: string,
  kind: Kind,
): { readonly calls: readonly TextCall[]; readonly end: number } | undefined {
  const { tools } = context;
  if (tools.isEmpty || !looksLikeCall(context, text, kind)) return undefined;
  const reading =
    kind === "python"
      ? guidedCalls(context, text)
      : readGuided(text, callPlace(tools), "json", tools.areCalledIn);
  if (!("value" in reading)) return undefined;
  // A text that was cut off may end with a bracket of its own.
  if (reading.lacksQuote && reading.end >= text.trimEnd().length) return undefined;
  const calls =
    kind === "python"
      ? (reading.value as unknown as readonly TextCall[])
      : (toCalls(reading.value, { isBare: true }) ?? []);
  const { repair, end } = reading;
  return calls.length === 0
    ? undefined
    : { end, calls: calls.map((call) => ({ ...call, repaired: true, repair })) };
}

function* kindOf(context: Context, isAtLineStart: boolean): Step<Kind | undefined> {
  const { source, tools, openings } = context;
  const isSure = (head: string): boolean => !JSON_START.test(head) && !PYTHON_START.test(head);
  const text = yield* source.peekUntil(MAX_HEAD, isSure);
  const [json, , key = ""] = JSON_HEAD.exec(text) ?? [];
  if (json !== undefined)
    return isAtLineStart && isCallKey(key) && openings.bare.has("json") ? "json" : undefined;
  const [python, name = ""] = PYTHON_HEAD.exec(text) ?? [];
  // A call inside a line is accepted only if its tool is known.
  const isPlausible = python !== undefined && (isAtLineStart || tools.has(tools.nameOf(name)));
  return isPlausible && openings.bare.has("pythonic") ? "python" : undefined;
}

function callsOf(context: Context, text: string, kind: Kind): readonly TextCall[] | undefined {
  const { tools } = context;
  const bareCalls = kind === "python" ? parsePythonCalls(text) : jsonCalls(text);
  if (kind === "python" && !tools.isEmpty && bareCalls?.some(({ repaired }) => repaired === true))
    return undefined;
  if (bareCalls === undefined || bareCalls.length === 0) return undefined;
  const calls = kind === "python" ? withoutMethod(context, bareCalls) : bareCalls;
  const nameOf = kind === "python" ? tools.nameOf : tools.closestTo;
  const isKnown = tools.isEmpty || calls.every(({ name }) => tools.has(nameOf(name)));
  return isKnown ? calls : undefined;
}

/** Returns whether a text that looks like calls is none in any notation. A Python list is code unless its first tool is known. */
function isUnreadable({ tools }: Context, text: string, kind: Kind): boolean {
  if (kind === "json") return repairJson(text) === undefined;
  return !tools.isEmpty && parsePythonCalls(text) === undefined;
}

function jsonCalls(text: string): readonly TextCall[] | undefined {
  const parsed = repairJson(text);
  const calls = parsed === undefined ? undefined : toCalls(parsed.value, { isBare: true });
  return parsed?.repaired === true ? calls?.map((call) => ({ ...call, repaired: true })) : calls;
}

/** Returns whether a text that was cut off had begun both parts of a call. */
function looksLikeCall({ tools }: Context, text: string, kind: Kind): boolean {
  if (kind === "python") return tools.isEmpty || tools.has(tools.nameOf(PYTHON_HEAD.exec(text)?.[1] ?? ""));
  const [, name] = /["'](?:tool_|function_)?name["']\s*:\s*["']([^"']*)["']/.exec(text) ?? [];
  if (name === undefined || !/["'](?:arguments|parameters|args|input|tool_input)["']\s*:/.test(text))
    return false;
  return tools.isEmpty || tools.has(tools.nameOf(name));
}

/** Skips the comma or semicolon between two calls. */
function* skipSeparator({ source, emitter }: Context): Step<void> {
  const text = yield* source.peek(3);
  const [separator] = /^\s?[,;]\s?(?=$|[{[]|\s)/.exec(text) ?? [];
  if (separator === undefined) return;
  source.at += separator.length;
  emitter.defer(separator);
  source.mark();
}

const REACT = /^Action:[ \t]*([^\n]{1,100})\n[ \t]*Action Input:[ \t]*/;
const REACT_FENCE = /^Action:\s{0,16}`/;
const REACT_START = /^Action:[^\n]*(?:\n[ \t]*[A-Za-z ]{0,13}:?[ \t]*|\n\s*)?$/;
const REACT_END = /\n[ \t]{0,16}(?:Observation|Thought|Action|Final Answer):/g;

/** Reads `Action:` and `Action Input:`. Returns undefined if it is something else, "fence" if the calls are in a code block. */
export function* readReact(context: Context): Step<"read" | "fence" | undefined> {
  const { source } = context;
  const text = yield* source.peekUntil(160, (head) => REACT_FENCE.test(head) || !REACT_START.test(head));
  if (REACT_FENCE.test(text)) return "fence";
  const reactMatch = REACT.exec(text);
  if (reactMatch === null) return (yield* skipAction(context, text)) ? "read" : undefined;
  source.mark();
  source.at += reactMatch[0].length;
  const from = source.offset;
  const end = yield* scanTo(source, REACT_END);
  const raw = source.taken();
  const isCut = end === undefined && context.reason === "length";
  const call = isCut ? undefined : reactCall(context, (reactMatch[1] ?? "").trim(), raw.slice(from).trim());
  if (call === undefined) emitProblem(context, isCut ? CUT_OFF : BROKEN);
  else emitCalls(context, [call]);
  return "read";
}

/** Skips an action of a known tool without a readable input. Returns false, with nothing taken, if it names no known tool. */
function* skipAction(context: Context, text: string): Step<boolean> {
  const { source, tools } = context;
  const [head, name = ""] = /^Action:[ \t]*([^\n]{1,100})\n/.exec(text) ?? [];
  if (head === undefined || !tools.has(tools.nameOf(name))) return false;
  source.mark();
  source.at += head.length - 1;
  yield* scanTo(source, REACT_END);
  emitProblem(context, BROKEN);
  return true;
}

/** Uses a text input as the only parameter of the tool, or else as `__raw__`. Returns undefined for broken JSON. */
function reactCall({ tools }: Context, written: string, text: string): TextCall | undefined {
  const name = tools.nameOf(written);
  if (text.startsWith("{")) {
    // Without its last bracket it may have been cut off.
    const parsed = text.endsWith("}") ? repairJson(text) : undefined;
    if (parsed !== undefined) return toCall(name, parsed.value, parsed);
    const schema = tools.schemaOf(tools.closestTo(written));
    const guided =
      schema === undefined ? undefined : readGuided(text, placeOf(schema), "json", tools.areCalledIn);
    if (guided === undefined || !("value" in guided) || guided.lacksQuote) return undefined;
    return toCall(name, guided.value, { repaired: true, repair: guided.repair });
  }
  const quoted = text.startsWith('"{') ? parseJson(text) : undefined;
  const inner = typeof quoted === "string" ? parseJson(quoted) : undefined;
  if (isObject(inner)) return toCall(name, inner, { repaired: true, repair: "input as a text" });
  const properties = Object.keys(tools.schemaOf(name)?.["properties"] ?? {});
  return toCall(name, inFence(text, properties) ?? asParameter(text, properties));
}

/** Returns the object in a code block; one without a parameter of the tool is the text of a parameter. */
function inFence(text: string, properties: readonly string[]): JsonObject | undefined {
  const fenced = parseJson(/^```[A-Za-z]*\s+(\{.*\})\s*```$/s.exec(text)?.[1] ?? "");
  return isObject(fenced) && properties.some((key) => Object.hasOwn(fenced, key)) ? fenced : undefined;
}

function asParameter(text: string, properties: readonly string[]): JsonObject {
  const [only = "__raw__"] = properties.length === 1 ? properties : [];
  return { [only]: /^"[^"\\]*"$/.test(text) ? text.slice(1, -1) : text };
}

/** Tools that run code, by the names that models know. */
const CODE_TOOLS = ["python", "ipython", "code_interpreter"];
/** A call in another notation, which is not code. */
const OTHER_CALL = /^\s*(?:$|[{[<]|([A-Za-z_]\w*)(?:\.call)?\()/;
const CODE_END = /<\|(?:eom_id|eot_id|python_tag)\|>/g;
const MAX_CODE_HEAD = 96;

/** Reads code for a tool that runs it. Returns false, with nothing taken, if it is not code or there is no such tool. */
export function* readCode(context: Context): Step<boolean> {
  const { source, tools } = context;
  const name = CODE_TOOLS.find((tool) => tools.has(tool));
  if (name === undefined) return false;
  const [call, called] = OTHER_CALL.exec(yield* source.peek(MAX_CODE_HEAD)) ?? [];
  if (call !== undefined && (called === undefined || tools.has(called))) return false;
  const from = source.offset;
  const end = yield* scanTo(source, CODE_END);
  const raw = source.taken();
  if (end === undefined && context.reason === "length") {
    emitProblem(context, CUT_OFF);
    return true;
  }
  const [key = "code"] = Object.keys(tools.schemaOf(name)?.["properties"] ?? {});
  emitCalls(context, [toCall(name, { [key]: raw.slice(from) })]);
  return true;
}
