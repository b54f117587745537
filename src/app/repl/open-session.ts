import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { exportJson } from "../../agent/sessions/export/export-json.ts";
import { exportMarkdown } from "../../agent/sessions/export/export-markdown.ts";
import type { FileWatcher } from "../host/hooks/watch-files.ts";
import { wakeForHooks } from "../../agent/hooks/wake-for-hooks.ts";
import type { Approver } from "../../core/approval.ts";
import { ToolError } from "../../core/errors.ts";
import type { Model } from "../../core/agent/model.ts";
import type { Mode } from "../../core/policy.ts";
import { createMasker } from "../../util/text/mask.ts";
import { createApprovalQueue } from "../../store/database/approval-queue.ts";
import { todosOf } from "../../tools/memory/todos/todos.ts";
import type { AgentHost, OpenAgent } from "../host/agent/agent-host.ts";
import { createAgentHost } from "../host/agent/agent-host.ts";
import { toSlashCommand } from "../terminal/commands/extension.ts";
import type { SlashCommand } from "../host/sources/slash-command.ts";
import type { Config, ConfigFlags } from "../config/config.ts";
import { firstAnswer } from "../host/first-answer.ts";
import type { BudgetSetting } from "../config/models-setting.ts";
import { toBudget } from "../config/models-setting.ts";
import type { OpenAssembly } from "../host/open-assembly.ts";
import type { Store } from "../host/store/open-configured-store.ts";
import { openAssembly } from "../host/open-assembly.ts";
import { NO_MODEL, openConfiguredModel } from "../host/open-configured-model.ts";
import { watchConfigured } from "../host/sources/watch-configured.ts";
import type { History } from "./edit/history.ts";
import { openHistory } from "./edit/history.ts";
import { keptCommands } from "./kept-commands.ts";
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
  const opened = await openAssembly({
    flags,
    untrusted,
    approver: ({ config, store }) => {
      const mask = createMasker(config.secrets).text;
      return firstAnswer([options.approver, createApprovalQueue(store.collections, { mask }).approver]);
    },
    warn: (warning) => warnings.push(warning),
    isLongLived: true,
  });
  try {
    const { config } = opened;
    const host = createAgentHost(opened);
    const history = openHistory({
      ...(config.store !== ":memory:" && { file: join(config.store, "prompts.jsonl") }),
      mask: createMasker(config.secrets).text,
    });
    const desk: Desk = {
      opened,
      host,
      history,
      budget: { ...config.budget, ...budget },
      model: config.model === "" ? NO_MODEL : await openConfiguredModel(config),
      mode: config.mode,
      prompts: openMcpPrompts(opened),
      watcher: watchConfigured(config, opened.assembly.engine, (warning) => void warnings.push(warning)),
    };
    if (desk.model === NO_MODEL) warnings.push("no model is set: choose one with /model provider/name");
    const id = resume === true ? await lastSession(desk) : resume;
    return await openOne(desk, id, warnings);
  } catch (error) {
    await opened.assembly.close();
    throw error;
  }
}

/** What stays when the session changes. */
interface Desk {
  readonly opened: OpenAssembly;
  readonly host: AgentHost;
  readonly history: History;
  readonly budget: BudgetSetting;
  readonly prompts: McpPrompts;
  readonly watcher: FileWatcher | undefined;
  model: Model;
  mode: Mode;
}

async function openOne(
  desk: Desk,
  resumed: string | undefined,
  warnings: readonly string[] = [],
): Promise<ReplSession> {
  const { opened, host, history } = desk;
  const { assembly, config, store } = opened;
  const [workspace] = config.workspace;
  const open = await host.open({
    model: desk.model,
    session: resumed ?? `chat-${randomUUID().slice(0, 8)}`,
    mustBeKept: resumed !== undefined,
    budget: desk.budget,
    onEvent: () => undefined,
  });
  const id = open.agent.session;
  const stopWaking = wakeForHooks(assembly.engine, open.agent);
  const leave = async (): Promise<void> => {
    stopWaking();
    await open.close();
    if (resumed === undefined) await forgetEmpty(host, id);
  };
  const inPlace = async (next: string | undefined): Promise<ReplSession> => {
    const session = await openOne(desk, next);
    await leave();
    return session;
  };
  const kept = keptCommands(opened, id);
  return {
    agent: open.agent,
    engine: assembly.engine,
    history,
    warnings,
    get info() {
      return { id, workspace, model: desk.model.id, mode: desk.mode, budget: toBudget(desk.budget) };
    },
    get commands() {
      return [...kept, ...desk.prompts.known(), ...extensionCommands(opened)];
    },
    findCommand: (name, signal) => desk.prompts.find(name, signal),
    entries: resumed === undefined ? [] : await host.transcripts.entries(id),
    todos: () => shownTodos(store, id),
    sessions: () => host.transcripts.list({ workspace }),
    team: () => membersOf(open),
    recordCommand: async (text, output) =>
      void (await host.transcripts.append(id, { kind: "command", text, output })),
    ...settersOf(desk, open),
    exportAs: (form) => exportSession(desk, id, form),
    newSession: () => inPlace(undefined),
    resume: inPlace,
    async close() {
      desk.watcher?.close();
      await leave();
      await assembly.close();
    },
  };
}

/** Looking in and leaving is no conversation: nothing of it is kept. */
async function forgetEmpty({ transcripts }: AgentHost, id: string): Promise<void> {
  if ((await transcripts.entries(id)).length === 0) await transcripts.delete(id);
}

function settersOf(desk: Desk, open: OpenAgent): Pick<ReplSession, "setMode" | "setModel"> {
  const { opened } = desk;
  return {
    async setMode(mode) {
      await opened.setMode(mode);
      desk.mode = mode;
    },
    async setModel(name) {
      desk.model = await openConfiguredModel(opened.config, name);
      open.use(desk.model);
    },
  };
}

function extensionCommands({ assembly }: OpenAssembly): readonly SlashCommand[] {
  return [...assembly.extensions.commands().values()].map((command) => toSlashCommand(command));
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

async function lastSession({ opened, host }: Desk): Promise<string> {
  const [workspace] = opened.config.workspace;
  const kept = await host.transcripts.list({ workspace });
  // Without a title nobody has asked for anything in it yet.
  const last = kept.find(({ agent, title }) => agent.parentId === undefined && title !== "");
  if (last !== undefined) return last.id;
  throw new ToolError("INVALID_INPUT", "no conversation of this folder is kept", {
    hint: "leave --continue out to begin one",
  });
}

async function exportSession({ host }: Desk, id: string, form: "markdown" | "json"): Promise<string> {
  const [info, entries] = await Promise.all([host.transcripts.info(id), host.transcripts.entries(id)]);
  if (info === undefined) throw new ToolError("UNAVAILABLE", "nothing of this conversation is kept yet");
  return form === "json" ? exportJson(info, entries) : exportMarkdown(info, entries);
}
