import { existsSync } from "node:fs";
import type { ToolContext } from "../../../core/context.ts";
import type { Around } from "../../../core/executor.ts";
import type { JsonObject } from "../../../core/json.ts";
import { createCapture } from "../../../system/process/capture.ts";
import { childEnvironment } from "../../../system/process/environment.ts";
import { abortedCommand, answer, captureOptions } from "../../../tools/running/shell-answer.ts";
import { MAX_TEXT_BYTES } from "../../../tools/shared/answer-limits.ts";
import { commandFactOf } from "../../../tools/shared/facts.ts";
import { isSecretName } from "../../../secrets/find/names.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import type { Client } from "./client.ts";

export interface ClientTerminalOptions {
  readonly config: ConfigGroups<"sandbox" | "environment">;
  /** Called with the terminal of a call, before its command ends. */
  readonly onTerminal: (callId: string, terminalId: string) => void;
}

/**
 * Runs commands of `shell` in terminals of the client, if it has them. A command that must run in a sandbox, or with git hardened against
 * the folder, runs here, as do those in the background and in terminals of the agent.
 */
export function useClientTerminal(client: Client, { config, onTerminal }: ClientTerminalOptions): Around {
  const env = terminalEnvironment(config);
  return async ({ name, input, context }, next) => {
    if (client.capabilities.terminal !== true || name !== "shell" || !isPlain(input)) return next();
    const { text, cwd, place, isConfined, isGuarded } = commandFactOf(context);
    const staysHere = place === "sandbox" || isConfined === true || isGuarded === true;
    if (config.sandbox.kind !== "none" || staysHere) return next();
    const terminal = await client.context.createTerminal({
      sessionId: client.sessionId,
      command: existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh",
      args: ["-c", "--", text],
      env,
      cwd,
      outputByteLimit: MAX_TEXT_BYTES,
    });
    onTerminal(context.call.id, terminal.id);
    const kill = (): void => void terminal.kill().catch(() => undefined);
    try {
      context.signal.addEventListener("abort", kill, { once: true });
      if (context.signal.aborted) kill();
      const { exitCode = null, signal = null } = await terminal.waitForExit();
      return await replyOf({ exitCode, signal }, await terminal.currentOutput(), context);
    } finally {
      context.signal.removeEventListener("abort", kill);
      await terminal.release().catch(() => undefined);
    }
  };
}

async function replyOf(
  outcome: Parameters<typeof answer>[0],
  { output, truncated }: { readonly output: string; readonly truncated: boolean },
  context: ToolContext,
): Promise<unknown> {
  const capture = createCapture(captureOptions(context));
  await capture.write({ stream: "stdout", text: output });
  const captured = await capture.close();
  if (context.signal.aborted) throw abortedCommand(context.signal.reason, outcome, captured);
  return answer(outcome, captured, { notes: truncated ? ["[the beginning of the output is missing]"] : [] });
}

/** The client only shows the output: an idle limit, the background and terminals of the agent need it as it comes. */
function isPlain({ background, terminal_id, idle_timeout_seconds }: JsonObject): boolean {
  return background !== true && terminal_id === undefined && idle_timeout_seconds === undefined;
}

/** Returns the variables of a command. Secrets, which the client's own environment may have, are empty. */
function terminalEnvironment({
  environment: { variables, names: environment },
}: ClientTerminalOptions["config"]) {
  const secret = Object.keys(variables).filter(isSecretName);
  const own = {
    ...Object.fromEntries(secret.map((name) => [name, ""])),
    ...childEnvironment(variables, environment),
  };
  return Object.entries(own).map(([name, value]) => ({ name, value }));
}
