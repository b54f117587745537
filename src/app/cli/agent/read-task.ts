import { ToolError } from "../../../core/errors.ts";
import { readStdinText } from "../../terminal/input/read-stdin.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";

/** How long a pipe may stay silent: an inherited one may be open without ever being written to. */
const SILENCE_MS = 3000;
const MAX_CHARACTERS = 1024 * 1024;

/** Returns the task: the arguments, followed by what is piped to standard input. Throws if there is neither. */
export async function readTask({ positionals }: Arguments, world: World): Promise<string> {
  const text = positionals.join(" ").trim();
  const isAll = text === "-" || text === "";
  const piped = text === "-" ? await readAll(world) : await readPiped(world, isAll ? undefined : SILENCE_MS);
  if (piped.length > MAX_CHARACTERS)
    throw new ToolError("INVALID_INPUT", "standard input is over 1 MB, too long for a task", {
      hint: "write it to a file and name the file in the task",
    });
  const task = isAll ? piped : [text, ...(piped === "" ? [] : [`Standard input:\n\n${piped}`])].join("\n\n");
  if (task !== "") return task;
  throw new ToolError("INVALID_INPUT", 'missing task: toolwright run "TASK"', {
    hint: "the task can also be piped: toolwright run < task.txt",
  });
}

/** Returns the text of standard input, empty on a terminal or if nothing comes in time. */
async function readPiped({ stdin, output }: World, silenceMs: number | undefined): Promise<string> {
  if (stdin.isTTY) return "";
  if (silenceMs === undefined || (await speaks(stdin, silenceMs))) return readAll({ stdin });
  output.log(`toolwright: nothing on standard input for ${silenceMs / 1000} s; going on without it`);
  stdin.destroy();
  return "";
}

async function readAll({ stdin }: Pick<World, "stdin">): Promise<string> {
  return (await readStdinText(stdin)).trim();
}

/** Resolves with false if the stream neither has data nor ends within the time. */
function speaks(stdin: NodeJS.ReadStream, silenceMs: number): Promise<boolean> {
  if (stdin.readableLength > 0 || stdin.readableEnded) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (isSpeaking: boolean): void => {
      clearTimeout(timer);
      for (const event of EVENTS) stdin.off(event, heard);
      resolve(isSpeaking);
    };
    const heard = (): void => settle(true);
    const timer = setTimeout(() => settle(false), silenceMs);
    for (const event of EVENTS) stdin.on(event, heard);
  });
}

const EVENTS = ["readable", "end", "error"] as const;
