import { ToolError } from "../../core/errors.ts";
import type { SlashCommand } from "../terminal/commands/slash-command.ts";
import { unknownName } from "../../util/text/near-hint.ts";
import type { ReplSession } from "./state/session.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** The most output of a command that is stored and shown. */
const MAX_CHARACTERS = 200_000;

/** Parses the name and the arguments of a command; returns undefined for other text. */
export function parseSlash(text: string): { readonly name: string; readonly args: string } | undefined {
  const found = /^\/([\w][\w:.-]*)(?:\s+([^]*))?$/.exec(text.trim());
  return found === null ? undefined : { name: found[1] ?? "", args: (found[2] ?? "").trim() };
}

export interface SlashRun {
  readonly commands: readonly SlashCommand[];
  readonly session: ReplSession;
  readonly signal: AbortSignal;
  readonly send: (text: string) => void;
}

/** Runs a slash command and returns its output. Never rejects: an error is part of the output. */
export async function runSlash(text: string, run: SlashRun): Promise<string> {
  const { commands, session, signal, send } = run;
  const parsed = parseSlash(text);
  let shown = "";
  const print = (piece: string): void => {
    if (shown.length < MAX_CHARACTERS) shown += piece;
  };
  try {
    const found = commands.find(({ name }) => name === parsed?.name);
    const command = found ?? (parsed && (await session.findCommand(parsed.name, signal)));
    if (parsed === undefined || command === undefined) throw unknown(text, commands);
    const { engine, agent } = session;
    const ran = command.run(parsed.args, { engine, session: agent.session, signal, print, say: send });
    await untilAborted(Promise.resolve(ran), signal);
  } catch (error) {
    const isCancelled = signal.aborted && error === signal.reason;
    print(describe(isCancelled ? new ToolError("CANCELLED", "the command was cancelled") : error));
  }
  return shown.length < MAX_CHARACTERS ? shown : `${shown.slice(0, MAX_CHARACTERS)}\n[truncated]\n`;
}

function unknown(text: string, commands: readonly SlashCommand[]): ToolError {
  const [name = ""] = text.slice(1).split(/\s/);
  const names = commands.map((one) => one.name);
  return unknownName(`unknown command /${name}`, name, names, "/help lists them");
}

function describe(error: unknown): string {
  if (!(error instanceof ToolError)) return `unexpected error: ${errorMessage(error)}\n`;
  return `${error.message}\n${error.hint === undefined ? "" : `  ${error.hint}\n`}`;
}
