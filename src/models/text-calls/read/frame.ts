import { words, type Patterns } from "../scan/scan.ts";
import type { TextCall } from "./emitter.ts";
import { closingSource, plainSource, tokenPattern, type Tag } from "../scan/tag.ts";

/** The markers around calls, from an opening to a closing one. */
export interface Frame {
  /** The tag that opened it, if a tag did. */
  readonly tag?: Tag;
  /** The tokens that close it. */
  readonly closers: readonly string[];
  /** Returns a pattern for its end, to skip unreadable content. */
  readonly end: (() => RegExp) | undefined;
  /** Whether the only key of a JSON object in it is the tool's name. */
  readonly isByName?: boolean;
  /** Calls that count only when the frame is closed. */
  held?: TextCall[];
  /** Whether the enclosing frame holds the calls. */
  readonly isInner?: boolean;
}

/** Special tokens that open a frame. */
export const FRAME_TOKENS: Readonly<Record<string, Pick<Frame, "closers" | "isByName">>> = {
  tool_calls_begin: { closers: ["tool_calls_end"] },
  tool_call_begin: { closers: ["tool_call_end"] },
  tool_calls_section_begin: { closers: ["tool_calls_section_end"] },
  tool_call_section_begin: { closers: ["tool_call_section_end"] },
  tool_call_start: { closers: ["tool_call_end"] },
  tools_prefix: { closers: ["tools_suffix"], isByName: true },
  start_action: { closers: ["end_action"] },
  tool_call: { closers: ["/tool_call"] },
  tool_calls: { closers: ["/tool_calls", "tool_calls_end"] },
  function_call: { closers: [] },
  half_tool_call: { closers: ["half_tool_call_end"] },
  content_invoke_tool_json: { closers: ["end_message"] },
  action_start: { closers: ["action_end"] },
  python_tag: { closers: ["eom_id", "eot_id"] },
  python_start: { closers: ["python_end"] },
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
  const { name, tool, function: written, tool_name: toolName } = tag.attributes;
  const found = tag.value ?? name ?? tool ?? toolName ?? written;
  return found === undefined || found.trim() === "" ? undefined : found.trim();
}

export function frameOfToken(name: string, patterns: Patterns): Frame | undefined {
  const token = Object.hasOwn(FRAME_TOKENS, name) ? FRAME_TOKENS[name] : undefined;
  if (token === undefined) return undefined;
  const { closers, isByName = false } = token;
  const end = (): RegExp => patterns.of(closers.map(tokenPattern).join("|"));
  return { closers, isByName, end: closers.length === 0 ? undefined : end };
}

export function frameOfTag(tag: Tag, patterns: Patterns): Frame {
  const closer = closerOf(tag.name);
  const source = closer === tag.name ? closingSource : plainSource;
  return { tag, closers: [], end: () => patterns.of(source(tag.form, closer)) };
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
