import type { CompletionWorld } from "./input/complete.ts";
import type { ReplParts } from "./repl-parts.ts";
import { parseSlash } from "./run-slash.ts";
import { withStatus } from "./show-session.ts";
import { withBlock } from "./state/repl-state.ts";
import type { ReplSession } from "./state/session.ts";
import { LEAVE, parseShell } from "./typed.ts";

/** Takes a typed line: a message, a slash command, a command of the shell, or the wish to leave. */
export function submit(parts: ReplParts, typed: string): void {
  const { conversation, prompt } = parts;
  const text = typed.trim();
  if (text === "") return;
  conversation.whenReady(({ history }) => {
    history.add(typed);
    prompt.setHistory(history.entries);
  });
  if (LEAVE.has(text)) parts.leave(0);
  else if (parseSlash(text) === undefined && parseShell(text) === undefined) conversation.send(text);
  else conversation.whenReady((session) => void runCommand(parts, session, text));
}

async function runCommand(
  { store, conversation, runner }: ReplParts,
  session: ReplSession,
  text: string,
): Promise<void> {
  const [command] = text.split(/\s/, 1);
  store.change((state) => ({ ...state, command }));
  const output = await runner.run(session, text);
  store.change((state) => {
    const done = withStatus({ ...state, command: undefined }, conversation.session ?? session);
    // The output of a command of the shell is shown with its call.
    return output === "" || text.startsWith("!") ? done : withBlock(done, { kind: "command", text, output });
  });
}

/** Returns what completion needs; undefined while the session loads. */
export function completionWorld({
  conversation: { session },
  runner,
}: ReplParts): CompletionWorld | undefined {
  if (session === undefined) return undefined;
  const { engine, agent, info } = session;
  return {
    commands: runner.commandsOf(session),
    world: { engine, session: agent.session },
    workspace: info.workspace,
  };
}
