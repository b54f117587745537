import { randomId } from "../../../system/crypto.ts";
import type { Arguments, World } from "./command.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Tool } from "../../../core/tool.ts";
import type { ToolCall } from "../../../core/call.ts";
import { readStdinText } from "./read-stdin.ts";
import { readInput, parseJson } from "./read-input.ts";

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
export async function readArgs(args: Arguments["flags"][string], world: World): Promise<string | undefined> {
  if (args === undefined) return undefined;
  return args === "-" ? readStdinText(world.stdin) : String(args);
}

/** Throws on `--args` that is not JSON, with how it is written. */
export function checkArgs(json: string | undefined): void {
  const read = json === undefined ? { input: {} } : parseJson(json, "--args");
  if ("input" in read) return;
  const file = /^@(\S+)$/.exec(json ?? "")?.[1];
  throw new ToolError("INVALID_INPUT", read.unreadable, {
    hint:
      file === undefined
        ? `write JSON in quotes: --args '{"path": "."}'`
        : `a file is read from standard input: --args - < ${file}`,
  });
}

/** Returns an id that no other call has. */
export function newCallId(): string {
  return `call-${randomId()}`;
}
