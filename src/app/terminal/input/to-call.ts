import { randomUUID } from "node:crypto";
import type { ToolCall } from "../../../core/call.ts";
import type { Tool } from "../../../core/tool.ts";
import type { World } from "./command.ts";
import { readInput } from "./read-input.ts";
import { readStdinText } from "./read-stdin.ts";

/** A call as it is typed. */
export interface TypedCall {
  readonly name: string;
  readonly words: readonly string[];
  /** The value of `--args`. */
  readonly json: string | undefined;
}

/** Returns the call; invalid JSON gives an unreadable call, which the engine answers. Throws on an argument that is not a parameter. */
export function toCall({ name, words, json }: TypedCall, tool: Tool | undefined): ToolCall {
  const id = newCallId();
  const read = readInput(tool, words, json);
  if ("input" in read) return { id, name, input: read.input };
  return { id, name, input: null, unreadable: read.unreadable };
}

/** Returns the text of `--args`; `-` reads standard input. */
export async function readArgs(
  args: string | boolean | undefined,
  world: Pick<World, "stdin">,
): Promise<string | undefined> {
  if (args === undefined) return undefined;
  return args === "-" ? readStdinText(world.stdin) : String(args);
}

export function newCallId(): string {
  return `call-${randomUUID()}`;
}
