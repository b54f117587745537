import type { ToolCall } from "../../../core/call.ts";
import type { Tool } from "../../../core/tool.ts";
import { readInput } from "./read-input.ts";
import { readStdinText } from "./read-stdin.ts";

/** A call as it was typed. */
export interface TypedCall {
  readonly name: string;
  readonly words: readonly string[];
  /** What `--args` gave. */
  readonly json: string | undefined;
}

/** A call that cannot be read is a call all the same, and is answered; throws on a word that is no parameter. */
export function toCall({ name, words, json }: TypedCall, tool: Tool | undefined): ToolCall {
  const id = newCallId();
  const read = readInput(tool, words, json);
  if ("input" in read) return { id, name, input: read.input };
  return { id, name, input: null, unreadable: read.unreadable };
}

/** The text of `--args`, from standard input where it says so. */
export async function readArgs(
  args: string | boolean | undefined,
  stdin: NodeJS.ReadStream,
): Promise<string | undefined> {
  if (args === undefined) return undefined;
  return args === "-" ? readStdinText(stdin) : String(args);
}

export function newCallId(): string {
  return `call-${crypto.randomUUID()}`;
}
