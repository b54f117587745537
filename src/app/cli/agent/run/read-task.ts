import type { Content } from "../../../../core/content.ts";
import { ToolError } from "../../../../core/errors.ts";
import type { OpenAgent } from "../../../host/agent/agent-host.ts";
import type { Host } from "../../../host/host.ts";
import type { Arguments, World } from "../../../terminal/input/command.ts";
import { hasStarted, readStdinText } from "../../../terminal/input/read-stdin.ts";

/** How long a pipe may stay silent: an inherited one may be open without ever being written to. */
const SILENCE_MS = 3000;
const MAX_CHARACTERS = 1024 * 1024;

/** A task, and the part of it that the command line has: only there `@` names files. */
export interface Task {
  readonly text: string;
  readonly typed: string;
}

/** Returns the task: the arguments, followed by what is piped to standard input. Throws if there is neither. */
export async function readTask({ positionals }: Arguments, world: World): Promise<Task> {
  const text = positionals.join(" ").trim();
  const isAll = text === "-" || text === "";
  const piped =
    text === "-" ? await readAll(world.stdin) : await readPiped(world, isAll ? undefined : SILENCE_MS);
  if (piped.length > MAX_CHARACTERS)
    throw new ToolError("INVALID_INPUT", "standard input is over 1 MB, too long for a task", {
      hint: "write it to a file and name the file in the task",
    });
  const task = isAll ? piped : [text, ...(piped === "" ? [] : [`Standard input:\n\n${piped}`])].join("\n\n");
  if (task !== "") return { text: task, typed: isAll ? "" : text };
  throw new ToolError("INVALID_INPUT", 'missing task: toolwright run "TASK"', {
    hint: "the task can also be piped: toolwright run < task.txt",
  });
}

/** Returns the text of standard input, empty on a terminal or if nothing comes in time. */
async function readPiped({ stdin, output }: World, silenceMs: number | undefined): Promise<string> {
  if (stdin.isTTY) return "";
  if (silenceMs === undefined || (await hasStarted(stdin, silenceMs))) return readAll(stdin);
  output.log(`toolwright: nothing on standard input for ${silenceMs / 1000} s; continuing without it`);
  stdin.destroy();
  return "";
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  return (await readStdinText(stdin)).trim();
}

interface MessageWorld {
  readonly host: Host;
  readonly opened: OpenAgent;
  readonly warn: World["output"]["warn"];
}

/**
 * Returns the task with its files: those of `--image`, and those that the command line names after `@`, which are read under policy, as
 * a script may have put together the text.
 */
export async function messageOf(
  { text, typed }: Task,
  { repeated = {} }: Arguments,
  { host, opened, warn }: MessageWorld,
): Promise<readonly Content[]> {
  const { attachFile, attachFiles, hasReferences } = await import("../../../repl/typed/attach-files.ts");
  const { workspace, userHome: home } = host.config.paths;
  const info = { workspace: workspace[0], home };
  const session = { agent: opened.agent, engine: host.engine, info };
  const content: Content[] = [{ type: "text", text }];
  for (const file of repeated["image"] ?? [])
    content.push(...(await attachFile(file, { session, isTyped: true })));
  if (!hasReferences(typed)) return content;
  const attachments = await attachFiles(typed, { session, isTyped: false });
  if (attachments.missing.length > 0) warn(`no such file, sent as text: ${attachments.missing.join(", ")}`);
  return [...content, ...attachments.content];
}
