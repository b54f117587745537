import { defined } from "../../../util/json/defined.ts";
import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import type { ReplSession } from "../state/session.ts";
import { answerText } from "../state/summary.ts";

const MAX_SECONDS = 600;

/** Texts that leave, as in a shell. */
export const LEAVE: ReadonlySet<string> = new Set(["exit", "quit"]);

/** Returns the command of a text that starts with `!`; undefined for other text. */
export function parseShell(text: string): string | undefined {
  const command = text.startsWith("!") ? text.slice(1).trim() : "";
  return command === "" ? undefined : command;
}

/** The part of a session that runs typed calls. */
export interface TypedSession {
  readonly agent: Pick<ReplSession["agent"], "session">;
  readonly engine: Pick<ReplSession["engine"], "run">;
  readonly info: Pick<ReplSession["info"], "workspace" | "home">;
}

export interface TypedOptions {
  readonly session: TypedSession;
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

/** Runs a call of the person. The mark of a typed call is in the options of the run, which no model can set. */
export function runTyped(
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
