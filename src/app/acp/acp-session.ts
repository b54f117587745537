import { RequestError, type ContentBlock, type PromptResponse } from "@agentclientprotocol/sdk";
import { describeLevel } from "../../agent/budget/budget.ts";
import type { AgentEvent } from "../../agent/runtime/agent-events.ts";
import type { Outcome } from "../../agent/runtime/outcome.ts";
import type { Content } from "../../core/content.ts";
import { MODES, type Mode } from "../../core/policy.ts";
import type { ToolSpec } from "../../core/spec.ts";
import { createSerializer } from "../../util/async/serialize.ts";
import { withHint } from "../../util/text/error-message.ts";
import type { BudgetSetting } from "../config/settings/budget-setting.ts";
import { createCommandRunner, parseSlash, type CommandRunner } from "../repl/command-runner.ts";
import { openSession, type OpenSessionOptions } from "../repl/open-session.ts";
import type { ReplSession } from "../repl/state/session.ts";
import { createClient, type Client, type ClientOptions } from "./client/client.ts";
import { useClientFiles } from "./client/files.ts";
import { useClientTerminal } from "./client/terminal.ts";
import { fromBlocks, textBlock } from "./content.ts";
import { createPermissions } from "./permissions.ts";
import { planOf, toUpdates } from "./to-updates.ts";
import { createToolCalls } from "./tool-calls.ts";
import { defined } from "../../util/json/defined.ts";

export interface OpenAcpSessionOptions
  extends Omit<ClientOptions, "sessionId">, Pick<OpenSessionOptions, "flags" | "config" | "mcpServers"> {
  readonly budget: BudgetSetting;
  /** The stored session to open; default: a new one. */
  readonly resume?: string;
}

/** A session of a client. */
export type AcpSession = Awaited<ReturnType<typeof openAcpSession>>;

/** Opens a session of the agent for a client. Rejects with a `ToolError`, and leaves nothing open, if that fails. */
export async function openAcpSession(options: OpenAcpSessionOptions) {
  const { config, flags, budget, resume, mcpServers = {} } = options;
  const open: { session?: ReplSession } = {};
  const client = createClient({ ...options, sessionId: () => open.session?.info.id ?? "" });
  const specOf = (name: string): ToolSpec | undefined => open.session?.engine.get(name);
  const calls = createToolCalls({
    client,
    specOf,
    agentOf: (id) =>
      id === undefined || id === open.session?.agent.session
        ? undefined
        : (open.session?.nameOf(id) ?? "agent"),
    textsOf: (callId) => open.session?.changes.textsOf(callId) ?? [],
  });
  const opened = await openSession({
    flags,
    config,
    budget,
    mcpServers,
    approver: createPermissions(client, calls, specOf),
    hooks: [calls.hook],
    around: [
      useClientFiles(client, config.paths.workspace[0]),
      useClientTerminal(client, { config, onTerminal: calls.setTerminal }),
    ],
    ...defined({ resume }),
  });
  open.session = opened;
  const work = createWork(opened, client);
  const stops = [
    opened.engine.on((event) => {
      calls.on(event);
      if (event.type === "call.answered") void work.showTodos();
      if (event.type === "source.changed") work.showCommands();
    }),
    opened.agent.on((event) => onAgentEvent(event, client, opened)),
  ];
  return {
    id: opened.info.id,
    modes: { currentModeId: opened.info.mode, availableModes: [...AVAILABLE_MODES] },
    /** Sends the stored conversation. */
    replay(): void {
      for (const update of toUpdates(opened.entries, { newId: calls.newId, specOf })) client.update(update);
    },
    /** Sends the commands, the todos and the warnings; call it when the client knows the session. */
    async announce(): Promise<void> {
      for (const warning of opened.warnings) client.notice("warning", warning);
      work.showCommands();
      await work.showTodos();
    },
    ...work,
    async close(): Promise<void> {
      work.cancel();
      for (const stop of stops) stop();
      await opened.close();
    },
  };
}

const MODE_TEXTS: Readonly<Record<Mode, readonly [string, string]>> = {
  yolo: ["Yolo", "Calls run without approval; what is denied stays denied"],
  edits: ["Edits", "Reads, and changes of files in the workspace, run without approval"],
  auto: ["Auto", "Calls that only read run without approval"],
  ask: ["Ask", "Every call needs approval"],
  plan: ["Plan", "Only calls that read run; the others are denied"],
};

const AVAILABLE_MODES = MODES.map((id) => {
  const [name, description] = MODE_TEXTS[id];
  return { id, name, description };
});

/** Commands of the REPL that change its screen or its session, which the editor does itself. */
const NOT_OFFERED: ReadonlySet<string> = new Set(
  "help clear new resume sessions exit quit tour reasoning".split(" "),
);

/** Runs the prompts of a session, and shows what changes beside its calls. */
function createWork(session: ReplSession, client: Client) {
  let isCancelled = false;
  // What commands add to the next message, and what they send to the agent.
  const [notes, messages]: [string[], string[]] = [[], []];
  const none = (): void => undefined;
  const screen = { switchTo: none, clear: none, leave: none, onTypedCall: none, showReasoning: () => true };
  const send = (text: string): void => void messages.push(text);
  const note = (text: string): void => void notes.push(text);
  const runner = createCommandRunner({ ...screen, send, note, isTyped: false }, () => session);
  const shownCalls = createShown(session, client, runner);
  /** Returns what the agent is to be sent; undefined if the command was all. */
  const runCommand = async (text: string): Promise<readonly Content[] | undefined> => {
    const output = await runner.run(session, text);
    if (output !== "") say(client, output);
    shownCalls.showMode();
    const sent = messages.splice(0);
    return sent.length === 0 ? undefined : sent.map((message) => ({ type: "text", text: message }));
  };
  return {
    ...shownCalls,
    async setMode(id: string) {
      const mode = MODES.find((one) => one === id);
      if (mode === undefined) throw RequestError.invalidParams(undefined, `unknown mode ${id}`);
      await session.setMode(mode);
      shownCalls.showMode();
    },
    cancel() {
      isCancelled = true;
      runner.cancel();
      session.agent.cancel("interrupted");
    },
    /** Sends a message, or runs a slash command; throws a `RequestError` if the model fails. */
    async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
      isCancelled = false;
      const message = fromBlocks(blocks);
      const [first] = message;
      const isCommand =
        message.length === 1 && first?.type === "text" && parseSlash(first.text) !== undefined;
      const content = isCommand ? await runCommand(first.text.trim()) : message;
      if (isCancelled) return { stopReason: "cancelled" };
      if (content === undefined) return { stopReason: "end_turn" };
      const noted = notes.splice(0).map((text) => ({ type: "text", text }) as const);
      const outcome = await session.agent.send([...content, ...noted]);
      await shownCalls.showTodos();
      shownCalls.showCommands();
      return { stopReason: stopReasonOf(outcome, client) };
    },
  };
}

/** Sends the todos, the commands and the mode, each when it has changed. */
function createShown(session: ReplSession, { update }: Client, runner: CommandRunner) {
  const inOrder = createSerializer();
  let [plan, commands, mode] = [JSON.stringify(planOf([])), "", session.info.mode];
  return {
    showTodos: (): Promise<void> =>
      inOrder(async () => {
        const next = planOf(await session.todos().catch(() => []));
        if (JSON.stringify(next) === plan) return;
        plan = JSON.stringify(next);
        update(next);
      }),
    showCommands(): void {
      const offered = runner.commandsOf(session).filter(({ name }) => !NOT_OFFERED.has(name));
      const availableCommands = offered.map(({ name, summary, usage }) => ({
        name,
        description: summary,
        ...(usage !== "" && { input: { hint: usage } }),
      }));
      if (JSON.stringify(availableCommands) === commands) return;
      commands = JSON.stringify(availableCommands);
      update({ sessionUpdate: "available_commands_update", availableCommands });
    },
    showMode(): void {
      if (session.info.mode === mode) return;
      ({ mode } = session.info);
      update({ sessionUpdate: "current_mode_update", currentModeId: mode });
    },
  };
}

/** Throws if the model failed. A stop for another reason than the person's is explained in a message. */
function stopReasonOf(outcome: Outcome, client: Client): PromptResponse["stopReason"] {
  if (outcome.kind === "answered") return "end_turn";
  if (outcome.kind === "failed") {
    throw new RequestError(-32603, withHint(outcome.fault), { code: outcome.fault.code });
  }
  const { why, detail } = outcome;
  if (why === "cancelled") return "cancelled";
  say(client, `\n[stopped (${why}): ${detail}]\n`);
  if (why === "tokens") return "max_tokens";
  return why === "loop" ? "end_turn" : "max_turn_requests";
}

function say({ update }: Client, text: string): void {
  update({ sessionUpdate: "agent_message_chunk", content: textBlock(text) });
}

/** Shows what the model says, what the session has used, and what the person should know. */
function onAgentEvent(event: AgentEvent, client: Client, { agent, info }: ReplSession): void {
  const warn = (text: string): void => client.notice("warning", text);
  switch (event.type) {
    case "model.text":
      return say(client, event.text);
    case "model.reasoning":
      return client.update({ sessionUpdate: "agent_thought_chunk", content: textBlock(event.text) });
    case "turn.ended": {
      const used = event.usage.inputTokens + event.usage.outputTokens;
      const { money } = agent.spent();
      const cost = money === undefined ? {} : { cost: { amount: money, currency: "USD" } };
      return client.update({ sessionUpdate: "usage_update", used, size: info.window, ...cost });
    }
    case "model.retried":
      return warn(`retrying the model (attempt ${event.attempt}): ${event.message}`);
    case "budget.warned":
      return warn(`the budget is nearly spent: ${describeLevel(event)}`);
    case "tools.late": {
      const text = `still loading, the request is without their tools: ${event.sources.join(", ")}`;
      // Without it the answer could not be understood, and few editors show notices.
      return client.showsNotices ? warn(text) : say(client, `[${text}]\n\n`);
    }
    case "session.compacted": {
      const { tokensBefore, tokensAfter } = event;
      return client.notice("info", `compacted: ${tokensBefore} tokens before, ${tokensAfter} now`);
    }
    default:
      return undefined;
  }
}
