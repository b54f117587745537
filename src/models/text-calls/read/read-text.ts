import { drop, settle, type Context } from "./context.ts";
import type { Frame } from "./frame.ts";
import { createOpeningFinder, REASONING_TAGS } from "./next-opening.ts";
import { readBare, readReact } from "./read-bare.ts";
import { readFrame } from "./read-frame.ts";
import { readHeader } from "./read-header.ts";
import { readMarkup } from "./read-markup.ts";
import { emitReasoningMark, skipInReasoning } from "./reasoning.ts";
import { peekWord, scanTo, type Step } from "../scan/scan.ts";
import { closingSource, tokenPattern } from "../scan/tag.ts";
import { createTextState, isInCode, leaveCode, trackText, type TextState } from "./text-state.ts";

/** Reads a model's text from beginning to end and emits its pieces. */
export function* readText(context: Context, startsInReasoning: boolean): Step<void> {
  const { source, emitter } = context;
  const state = createTextState();
  if (startsInReasoning) state.reasoning = { end: context.patterns.of(REASONING_END), mayBeLeftOpen: true };
  const finder = createOpeningFinder(context, state);
  yield* readStart(context, state);
  for (;;) {
    const opening = finder.next(source.window, source.at);
    if (opening !== undefined) {
      emitTo(context, state, opening.index);
      if (isInCode(state) && (yield* skipCode(context, state))) continue;
      const before = emitter.found;
      const isRead = yield* readAt(context, state, opening.found);
      if (emitter.found > before) afterCall(state, opening.found, emitter.isAfterProblem);
      else if (!isRead) emitTo(context, state, source.at + 1);
      continue;
    }
    const held = source.isEnded ? 0 : finder.heldBack(source.window, source.at);
    emitTo(context, state, source.window.length - held);
    if (!(yield* source.more()) && source.at >= source.window.length) return;
  }
}

/** What closes reasoning that the prompt opened, in any dialect. */
const REASONING_END = [
  ...[...REASONING_TAGS].flatMap((tag) =>
    (["xml", "tokens"] as const).map((form) => closingSource(form, tag)),
  ),
  tokenPattern("end_thinking"),
  String.raw`\[/THINK\]`,
].join("|");

/** Calls without markers may follow each other on a line. After a marked one, the same call without markers is an echo. */
function afterCall(state: TextState, found: string, isProblem = false): void {
  state.isAtLineStart = isProblem || (found !== "<" && found !== "]");
  state.fence = state.fence === "opened" ? "call" : state.fence;
}

/** Emits the text up to a position in the window. */
function emitTo({ source, emitter }: Context, state: TextState, end: number): void {
  if (end <= source.at) return;
  const text = source.window.slice(source.at, end);
  source.at = end;
  source.mark();
  trackText(state, text);
  emitter.text(text);
}

/** Skips inline code, which never is a call. Returns false if it is not closed on its line. */
function* skipCode(context: Context, state: TextState): Step<boolean> {
  const { source } = context;
  source.mark();
  const end = yield* scanTo(source, CODE_END);
  const length = source.offset;
  source.rewind(0);
  if (end?.[0] === "`") emitTo(context, state, source.at + length + 1);
  else leaveCode(state);
  return end?.[0] === "`";
}

const CODE_END = /[`\n]/g;

/** Reads what only the first line may be: a header without its first token, or a tool's name alone. */
function* readStart(context: Context, state: TextState): Step<void> {
  const { source, openings, tools } = context;
  if (openings.bare.has("header") && /^ ?to=/.test(yield* peekWhile(context, /^ ?(?:t|to|to=)?$/, 4))) {
    yield* readHeader(context, state);
  }
  if (!openings.bare.has("named-line")) return;
  const line = yield* peekWhile(context, /^[\p{L}_][\p{L}\p{N}_.-]*\n?$|^$/u, 80);
  const [whole, name = ""] = /^([\p{L}_][\p{L}\p{N}_.-]*)\n(?=\{)/u.exec(line) ?? [];
  // Without a list of tools, any word before a brace would be a tool.
  const isTool = tools.isEmpty
    ? openings.toolTags === "any" || /[_.]/.test(name)
    : tools.has(tools.nameOf(name));
  if (openings.toolTags === "any" && line.startsWith("all\n")) drop(context, "all\n".length);
  else if (whole !== undefined && isTool) yield* readNamedLine(context, state, whole.length, name);
  else source.mark();
}

/** Returns the text at the cursor as soon as it no longer matches the pattern. */
function peekWhile({ source }: Context, pattern: RegExp, limit: number): Step<string> {
  return source.peekUntil(limit, (text) => !pattern.test(text));
}

/** Frames that begin with a word, and end where the next one begins. */
const WORD_FRAMES = {
  mistral: { closers: [], end: undefined, start: () => String.raw`\[TOOL_CALLS\]` },
  functools: { closers: [], end: undefined, start: () => String.raw`functools\[` },
  "named-line": { closers: [], end: undefined, start: () => ">>>" },
} as const satisfies Readonly<Record<string, Frame>>;

function* readNamedLine(context: Context, state: TextState, length: number, name: string): Step<void> {
  yield* readFramed(context, length, { ...WORD_FRAMES["named-line"], name });
  afterCall(state, name);
}

/** Reads what begins with a trigger. Returns false, with nothing taken, if it is text. */
function* readAt(context: Context, state: TextState, found: string): Step<boolean> {
  const { openings } = context;
  if (found === "<" || found === "]") return yield* readMarkup(context, state, found);
  const isBareAllowed = state.reasoning === undefined && state.fence !== "text";
  if (found === "[" && openings.bare.has("mistral") && (yield* readMistral(context, state))) return true;
  if (found === "`") return state.isAtLineStart && (yield* readFence(context, state));
  if (!isBareAllowed) return false;
  if (found === "[" || found === "{") return yield* readBare(context, state.isAtLineStart);
  if (found === "functools[") return yield* readFunctools(context);
  if (found === "Action:") return yield* readAction(context);
  return yield* readArrows(context, state);
}

const MISTRAL = "[TOOL_CALLS]";
const THINK = "[THINK]";
const THINK_END = "[/THINK]";

const MAX_MISTRAL = 200;
/** The marker, and the beginning of what may follow it in a call: a list, an object, or a name before either. */
const MISTRAL_START = /^\[TOOL_CALLS\]\s*(?:[\p{L}_][\p{L}\p{N}_.-]*\s*)?$/u;
/** The marker in a sentence, or after one. */
const PROSE = /^\[TOOL_CALLS\]\s*(?:([\p{L}_][\p{L}\p{N}_.-]*)\s+[\p{L}\p{N}_]|[.,;:!?)\]'"*])/u;

function* readMistral(context: Context, state: TextState): Step<boolean> {
  const { source } = context;
  if ((yield* peekWord(source, THINK)) === THINK)
    return emitReasoningMark(context, state, THINK.length, String.raw`\[/THINK\]`);
  if ((yield* peekWord(source, THINK_END)) === THINK_END)
    return emitReasoningMark(context, state, THINK_END.length, undefined);
  if ((yield* peekWord(source, MISTRAL)) !== MISTRAL) return false;
  const [prose, word = ""] = PROSE.exec(yield* peekWhile(context, MISTRAL_START, MAX_MISTRAL)) ?? [];
  if (prose !== undefined && !context.tools.has(context.tools.nameOf(word))) return false;
  return state.reasoning === undefined
    ? yield* readFramed(context, MISTRAL.length, WORD_FRAMES.mistral)
    : yield* skipInReasoning(context, state);
}

function* readFunctools(context: Context): Step<boolean> {
  const text = yield* peekWhile(context, /^functools\[\s{0,32}$/, 48);
  return (
    /^functools\[\s*\{/.test(text) && (yield* readFramed(context, "functools".length, WORD_FRAMES.functools))
  );
}

/** Reads a frame after a marker of this length. */
function* readFramed(context: Context, length: number, frame: Frame): Step<boolean> {
  context.source.mark();
  context.source.at += length;
  return settle(context, yield* readFrame(context, frame));
}

function* readAction(context: Context): Step<boolean> {
  const outcome = yield* readReact(context);
  if (outcome !== "fence") return outcome === "read";
  context.emitter.defer("Action:");
  return drop(context, "Action:".length);
}

const FENCE = /^`{3,8}[ \t]*([\w+-]{0,24})[ \t]*(?:\n|[ \t](?=[[{<]))/;

function* readFence(context: Context, state: TextState): Step<boolean> {
  const { source, emitter } = context;
  const text = yield* peekWhile(context, /^`{1,8}[ \t]{0,8}(?:[\w+-]{0,24}[ \t]{0,8})?$/, 56);
  if (!text.startsWith("```")) return false;
  if (state.fence === "call") {
    state.fence = "none";
    return drop(context, 3);
  }
  const opening = state.fence === "none" ? FENCE.exec(text)?.[0] : undefined;
  if (opening === undefined) {
    emitTo(context, state, source.at + 3);
    state.fence = state.fence === "none" ? "text" : "none";
    return true;
  }
  emitter.defer(opening);
  state.fence = "opened";
  return drop(context, opening.length);
}

/** Reads `>>>tool` and its JSON on the next line; `>>>all` means that text follows. */
function* readArrows(context: Context, state: TextState): Step<boolean> {
  const { tools } = context;
  const line = yield* peekWhile(context, /^>>>(?:[\p{L}_][\p{L}\p{N}_.-]*\n?)?$/u, 100);
  const [whole, name = ""] = /^>>>([\p{L}_][\p{L}\p{N}_.-]*)\n/u.exec(line) ?? [];
  if (whole === undefined) return false;
  if (name === "all") return drop(context, whole.length);
  if (tools.isEmpty ? line[whole.length] !== "{" : !tools.has(tools.nameOf(name))) return false;
  yield* readNamedLine(context, state, whole.length, name);
  return true;
}
