import { ToolError } from "../../core/errors.ts";
import type { SlashCommand } from "../terminal/commands/slash-command.ts";
import { nearHint } from "../../util/text/near-hint.ts";
import type { ReplSession } from "./state/session.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";

/** As much of what a command showed as is kept and drawn at once. */
const MAX_CHARACTERS = 200_000;

/** The name behind the slash and the words behind it; undefined for a text that is no command. */
export function parseSlash(text: string): { readonly name: string; readonly args: string } | undefined {
  const found = /^\/([\w][\w:.-]*)(?:\s+([^]*))?$/.exec(text.trim());
  return found === null ? undefined : { name: found[1] ?? "", args: (found[2] ?? "").trim() };
}

export interface SlashRun {
  readonly commands: readonly SlashCommand[];
  readonly session: ReplSession;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/** Runs a slash command and gives everything it showed. Never rejects: what goes wrong is told in the same place. */
export async function runSlash(text: string, run: SlashRun): Promise<string> {
  const { commands, session, signal, say } = run;
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
    const ran = command.run(parsed.args, { engine, session: agent.session, signal, print, say });
    await untilAborted(Promise.resolve(ran), signal);
  } catch (error) {
    const isCancelled = signal.aborted && error === signal.reason;
    print(describe(isCancelled ? new ToolError("CANCELLED", "you did not want to wait for it") : error));
  }
  return shown.length < MAX_CHARACTERS ? shown : `${shown.slice(0, MAX_CHARACTERS)}\n[truncated]\n`;
}

function unknown(text: string, commands: readonly SlashCommand[]): ToolError {
  const [name = ""] = text.slice(1).split(/\s/);
  return new ToolError("INVALID_INPUT", `there is no command /${name}`, {
    hint: nearHint(
      name,
      commands.map((one) => one.name),
      "/help lists them",
    ),
  });
}

function describe(error: unknown): string {
  if (!(error instanceof ToolError))
    return `an error of its own: ${error instanceof Error ? error.message : String(error)}\n`;
  return `${error.message}\n${error.hint === undefined ? "" : `  ${error.hint}\n`}`;
}
