import { defined } from "../../util/json/defined.ts";
import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Content } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { ReplSession } from "./state/session.ts";
import { answerText } from "./state/summary.ts";

const MAX_SECONDS = 600;

/** Texts that leave, as in a shell. */
export const LEAVE: ReadonlySet<string> = new Set(["exit", "quit"]);

/** Returns the command of a text that starts with `!`; undefined for other text. */
export function parseShell(text: string): string | undefined {
  const command = text.startsWith("!") ? text.slice(1).trim() : "";
  return command === "" ? undefined : command;
}

export interface TypedOptions {
  readonly session: ReplSession;
  /** True: a person typed it, which approves it. False: it came through a pipe and is judged like any other call. */
  readonly isTyped: boolean;
  readonly signal?: AbortSignal;
  /** Called with the id of each call before it runs. */
  readonly onCall?: (callId: string) => void;
}

/** Runs a command of the shell. */
export function runShell(command: string, options: TypedOptions): Promise<ToolResult> {
  return runTyped("shell", { command, timeout_seconds: MAX_SECONDS }, options);
}

/** Returns what the model reads about a command that the person ran. */
export function shellNote(command: string, result: ToolResult): string {
  return `The user ran a command in the shell: ${command}\n${answerText(result)}`;
}

/** The mark of a typed call is in the options of the run, which no model can set. */
function runTyped(
  name: string,
  input: JsonObject,
  { session, isTyped, signal, onCall }: TypedOptions,
): Promise<ToolResult> {
  const id = randomUUID();
  onCall?.(id);
  const approvedBy = isTyped ? ("person" as const) : undefined;
  const options = { session: session.agent.session, ...defined({ approvedBy, signal }) } as const;
  return session.engine.run({ id, name, input }, options);
}

/** `@path` or `@"a path"`, at the start of a word. */
const REFERENCE = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g;

/** Returns whether a text names files to attach. */
export function hasReferences(text: string): boolean {
  return text.search(REFERENCE) >= 0;
}

/**
 * Reads the files that a text names, images as images. References to no file are `missing`, and stay text. Throws if one is a folder or
 * cannot be read.
 */
export async function attachFiles(text: string, options: TypedOptions) {
  const content: Content[] = [];
  const missing: string[] = [];
  const { workspace } = options.session.info;
  const named = Array.from(text.matchAll(REFERENCE), ([, quoted, plain = ""]) => quoted ?? plain);
  for (const name of new Set(named)) {
    const path = await findFile(name, workspace, options.session.info.home);
    if (path === undefined) missing.push(`@${name}`);
    else content.push(...(await readAttached(path, options)));
  }
  return { content, missing };
}

/** Returns undefined if there is no such file. A sentence may end behind the name. */
async function findFile(name: string, workspace: string, home: string): Promise<string | undefined> {
  for (const path of new Set([name, name.replace(/[.,;:!?)]+$/, "")])) {
    const found = await stat(resolve(workspace, path.replace(/^~(?=\/)/, home))).catch(() => undefined);
    if (found?.isDirectory() === true)
      throw new ToolError("INVALID_INPUT", `@${path} is a folder, and only files are attached`, {
        hint: `name one of its files, such as @${path.replace(/\/$/, "")}/FILE, or ask the agent to look into the folder`,
      });
    if (found !== undefined) return path;
  }
  return undefined;
}

async function readAttached(path: string, options: TypedOptions): Promise<readonly Content[]> {
  const result = await runTyped("read_file", { path }, options);
  if (!result.ok)
    throw new ToolError(result.error.code, `@${path} cannot be attached: ${result.error.message}`, {
      hint: result.error.hint ?? "send the message without it",
    });
  const [first, ...rest] = result.content;
  if (first?.type !== "text" || rest.length > 0) return result.content;
  return [{ type: "text", text: `File ${path}\n${first.text}` }];
}
