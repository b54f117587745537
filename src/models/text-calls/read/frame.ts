import { words } from "../scan/scan.ts";
import { closingSource, openingSource, tokenPattern, type Tag } from "../scan/tag.ts";

/** The markers around calls, from an opening to a closing one. Patterns are given as their source. */
export interface Frame {
  /** The tag that opened it, if a tag did. */
  readonly tag?: Tag;
  /** The tool, if the opening marker names it: then the frame is one call. */
  readonly name?: string;
  /** The tokens that close it. */
  readonly closers: readonly string[];
  /** Returns a pattern for what closes it; undefined if nothing does. */
  readonly end: (() => string) | undefined;
  /** Returns a pattern for what opens the next one. */
  readonly start: () => string;
  /** Whether the only key of a JSON object in it is the tool's name. */
  readonly isByName?: boolean;
  /** Whether its one call begins with an id, and has its name and input between tokens. */
  readonly isIdentified?: boolean;
  /** The frame around it. */
  readonly parent?: Frame | undefined;
}

/** Special tokens that open a frame, and the tokens that close it. */
export const FRAME_TOKENS: Readonly<Record<string, readonly string[]>> = {
  tool_calls_begin: ["tool_calls_end"],
  tool_call_begin: ["tool_call_end"],
  tool_calls_section_begin: ["tool_calls_section_end"],
  tool_call_section_begin: ["tool_call_section_end"],
  tool_call_start: ["tool_call_end"],
  tools_prefix: ["tools_suffix"],
  start_action: ["end_action"],
  "tool_call:begin": ["tool_call:end"],
  tool_call: ["/tool_call"],
  tool_calls: ["/tool_calls", "tool_calls_end", "calls"],
  function_call: [],
  half_tool_call: ["half_tool_call_end"],
  content_invoke_tool_json: ["end_message"],
  action_start: ["action_end"],
  python_tag: ["eom_id", "eot_id"],
  python_start: ["python_end"],
};

/** Tags around calls. */
export const FRAME_TAGS = words(
  "tool_call tool_calls toolcall toolcalls function_call function_calls functioncall functioncalls " +
    "tool_use tool_request dots_function_call start_function_call tools",
);

/** Tags that are a call if they have a name. */
export const CALL_TAGS = words("function invoke tool_call tool_use function_call tool call");

/** Returns the name of the tool that a tag calls, or undefined. */
export function calledBy(tag: Tag): string | undefined {
  if (!CALL_TAGS.has(tag.name) || tag.isClosing) return undefined;
  const { name, tool, function: functionName, tool_name } = tag.attributes;
  const toolName = (tag.value ?? name ?? tool ?? tool_name ?? functionName)?.trim();
  return toolName === "" ? undefined : toolName;
}

export function frameOfToken(name: string, parent?: Frame): Frame | undefined {
  const closers = Object.hasOwn(FRAME_TOKENS, name) ? FRAME_TOKENS[name] : undefined;
  if (closers === undefined) return undefined;
  const end = closers.length === 0 ? undefined : () => closers.map(tokenPattern).join("|");
  const kind = { isByName: name === "tools_prefix", isIdentified: name === "tool_call:begin" };
  return { closers, end, start: () => tokenPattern(name), ...kind, parent };
}

/** Returns the frame that a tag opens: one call if there is a name. */
export function frameOfTag(tag: Tag, name?: string, parent?: Frame): Frame {
  const closer = closerOf(tag.name);
  const end = () =>
    closer === tag.name
      ? closingSource(tag.form, closer)
      : openingSource(tag.form, closer, String.raw`\s{0,8}>`);
  const start = () => openingSource(tag.form, tag.name);
  return { tag, closers: [], end, start, parent, ...(name === undefined ? {} : { name }) };
}

/** A pattern for what may open a call inside a frame. */
const INNER = [
  ...Object.keys(FRAME_TOKENS).map(tokenPattern),
  ...["function", "invoke", "tool_call", "call"].flatMap((name) =>
    (["xml", "tokens"] as const).map((form) => openingSource(form, name)),
  ),
].join("|");

/**
 * Returns the source of a pattern for where reading goes on after unreadable content: `end` is what closes the frame itself. After
 * unreadable markup, calls inside the frame count too.
 */
export function boundaryOf({ end, start, parent }: Frame, isMarkup = false): string {
  const around: string[] = isMarkup ? [INNER, start()] : [start()];
  for (let frame = parent; frame !== undefined; frame = frame.parent)
    around.push(frame.start(), frame.end?.() ?? "(?!)");
  return `(?<end>${end?.() ?? "(?!)"})|${around.join("|")}`;
}

/** Returns whether a tag closes this frame. */
export function closes(tag: Tag, frame: Frame): boolean {
  if (frame.tag === undefined) return false;
  const closer = closerOf(frame.tag.name);
  return tag.name === closer && (tag.isClosing || closer !== frame.tag.name);
}

function closerOf(name: string): string {
  return name.startsWith("start_") ? name.replace("start_", "end_") : name;
}
