import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { exportJson } from "../../agent/sessions/export/export-json.ts";
import { exportMarkdown } from "../../agent/sessions/export/export-markdown.ts";
import { wakeForHooks } from "../../agent/hooks/wake-for-hooks.ts";
import type { Approver } from "../../core/approval.ts";
import { ToolError } from "../../core/errors.ts";
import type { Model } from "../../core/agent/model.ts";
import type { Mode } from "../../core/policy.ts";
import { createMasker } from "../../util/text/mask.ts";
import { todosOf } from "../../tools/memory/todos/todos.ts";
import type { AgentHost, OpenAgent } from "../host/agent/agent-host.ts";
import { createAgentHost } from "../host/agent/agent-host.ts";
import { toSlashCommand } from "../terminal/commands/extension.ts";
import type { SlashCommand } from "../terminal/commands/slash-command.ts";
import type { Config, ConfigFlags } from "../config/config.ts";
import { firstAnswer } from "../host/first-answer.ts";
import type { BudgetSetting } from "../config/setting-values.ts";
import { toBudget } from "../config/setting-values.ts";
import type { Host } from "../host/open-host.ts";
import type { Store } from "../host/store/open-configured-store.ts";
import { openHost } from "../host/open-host.ts";
import { NO_MODEL, openConfiguredModel } from "../host/open-configured-model.ts";
import type { History } from "./edit/history.ts";
import { openHistory } from "./edit/history.ts";
import { storeCommands } from "./store-commands.ts";
import type { McpPrompts } from "./mcp-prompts.ts";
import { openMcpPrompts } from "./mcp-prompts.ts";
import type { ReplSession, ShownTodo } from "./state/session.ts";

export interface OpenSessionOptions {
  readonly flags: ConfigFlags;
  /** As it was read before anything was trusted. */
  readonly untrusted: Config;
  readonly approver: Approver;
  readonly budget: BudgetSetting;
  /** A kept session to go on with; the last one of the workspace where it is named `true`. Left out: a new one. */
  readonly resume?: string | true;
}

/** Opens the model, the engine and a session for the REPL. Throws a `ToolError` where one of them cannot be had; nothing is left open then. */
export async function openSession(options: OpenSessionOptions): Promise<ReplSession> {
  const { flags, untrusted, budget, resume } = options;
  const warnings: string[] = [];
  const host = await openHost({
    flags,
    config: untrusted,
    need: "stay",
    approver: ({ queue }) => firstAnswer([options.approver, queue]),
    warn: (warning) => warnings.push(warning),
  });
  try {
    const { config } = host;
    const agents = createAgentHost(host);
    const history = openHistory({
      ...(config.store !== ":memory:" && { file: join(config.store, "prompts.jsonl") }),
      mask: createMasker(config.secrets).text,
    });
    const desk: Desk = {
      host,
      agents,
      history,
      budget: { ...config.budget, ...budget },
      model: config.model === "" ? NO_MODEL : await openConfiguredModel(config),
      mode: config.mode,
      prompts: openMcpPrompts(host),
    };
    if (desk.model === NO_MODEL) warnings.push("no model is set: choose one with /model provider/name");
    const id = resume === true ? await lastSession(desk) : resume;
    return await openOne(desk, id, warnings);
  } catch (error) {
    await host.close();
    throw error;
  }
}

/** What stays when the session changes. */
interface Desk {
  readonly host: Host;
  readonly agents: AgentHost;
  readonly history: History;
  readonly budget: BudgetSetting;
  readonly prompts: McpPrompts;
  model: Model;
  mode: Mode;
}

async function openOne(
  desk: Desk,
  resumed: string | undefined,
  warnings: readonly string[] = [],
): Promise<ReplSession> {
  const { host, agents, history } = desk;
  const { engine, config, store } = host;
  const [workspace] = config.workspace;
  const open = await agents.open({
    model: desk.model,
    session: resumed ?? `chat-${randomUUID().slice(0, 8)}`,
    mustBeKept: resumed !== undefined,
    budget: desk.budget,
    onEvent: () => undefined,
  });
  const id = open.agent.session;
  const stopWaking = wakeForHooks(engine, open.agent);
  const leave = async (): Promise<void> => {
    stopWaking();
    await open.close();
    if (resumed === undefined) await forgetEmpty(agents, id);
  };
  const inPlace = async (next: string | undefined): Promise<ReplSession> => {
    const session = await openOne(desk, next);
    await leave();
    return session;
  };
  const stored = storeCommands(host, id);
  return {
    agent: open.agent,
    engine,
    history,
    warnings,
    get info() {
      return { id, workspace, model: desk.model.id, mode: desk.mode, budget: toBudget(desk.budget) };
    },
    get commands() {
      return [...stored, ...desk.prompts.known(), ...extensionCommands(host)];
    },
    findCommand: (name, signal) => desk.prompts.find(name, signal),
    entries: resumed === undefined ? [] : await agents.transcripts.entries(id),
    todos: () => shownTodos(store, id),
    sessions: () => agents.transcripts.list({ workspace }),
    team: () => membersOf(open),
    recordCommand: async (text, output) =>
      void (await agents.transcripts.append(id, { kind: "command", text, output })),
    ...settersOf(desk, open),
    exportAs: (form) => exportSession(desk, id, form),
    newSession: () => inPlace(undefined),
    resume: inPlace,
    async close() {
      await leave();
      await host.close();
    },
  };
}

/** Looking in and leaving is no conversation: nothing of it is kept. */
async function forgetEmpty({ transcripts }: AgentHost, id: string): Promise<void> {
  if ((await transcripts.entries(id)).length === 0) await transcripts.delete(id);
}

function settersOf(desk: Desk, open: OpenAgent): Pick<ReplSession, "setMode" | "setModel"> {
  const { host } = desk;
  return {
    async setMode(mode) {
      await host.setMode(mode);
      desk.mode = mode;
    },
    async setModel(name) {
      desk.model = await openConfiguredModel(host.config, name);
      open.use(desk.model);
    },
  };
}

function extensionCommands({ extensions }: Host): readonly SlashCommand[] {
  return [...extensions.commands().values()].map((command) => toSlashCommand(command));
}

async function shownTodos({ collections }: Store, session: string): Promise<readonly ShownTodo[]> {
  const todos = await todosOf(collections, session);
  return todos.map(({ content, status }) => ({ text: content, status }));
}

/** An agent that works alone is no team. */
function membersOf({ team }: OpenAgent): ReturnType<ReplSession["team"]> {
  const members = team.members();
  return members.length > 1 ? members : [];
}

async function lastSession({ host, agents }: Desk): Promise<string> {
  const [workspace] = host.config.workspace;
  const kept = await agents.transcripts.list({ workspace });
  // Without a title nobody has asked for anything in it yet.
  const last = kept.find(({ agent, title }) => agent.parentId === undefined && title !== "");
  if (last !== undefined) return last.id;
  throw new ToolError("INVALID_INPUT", "no conversation of this folder is kept", {
    hint: "leave --continue out to begin one",
  });
}

async function exportSession({ agents }: Desk, id: string, form: "markdown" | "json"): Promise<string> {
  const [info, entries] = await Promise.all([agents.transcripts.info(id), agents.transcripts.entries(id)]);
  if (info === undefined) throw new ToolError("UNAVAILABLE", "nothing of this conversation is kept yet");
  return form === "json" ? exportJson(info, entries) : exportMarkdown(info, entries);
}
