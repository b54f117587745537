import { answeredBy } from "../host/approvals/answers.ts";
import { join } from "node:path";
import { exportJson, exportMarkdown } from "../../agent/sessions/export.ts";
import { wakeForHooks } from "../../agent/hooks/wake-for-hooks.ts";
import type { Approver } from "../../core/approval.ts";
import { ToolError } from "../../core/errors.ts";
import { defined } from "../../util/json/defined.ts";
import { createConfigMasker } from "../config/config-masker.ts";
import { todosOf } from "../../tools/memory/todos/todos.ts";
import { createAgentHost, type AgentHost, type OpenAgent } from "../host/agent/agent-host.ts";
import { toSlashCommand, type SlashCommand } from "../terminal/commands/slash-command.ts";
import { toBudget, type BudgetSetting } from "../config/settings/budget-setting.ts";
import type { Host, RunOptions } from "../host/host.ts";
import { openHost } from "../host/open-host.ts";
import { NO_MODEL, openConfiguredModel } from "../host/open-configured-model.ts";
import { BackgroundKey, isRunning, type NamedProcess } from "../../tools/running/background-processes.ts";
import { broadFolderWarning } from "../config/broad-folder.ts";
import { stateFoldersOf } from "../config/folders.ts";
import { describeOff } from "../host/store/apply-trust.ts";
import { isLevelUnset } from "../host/levels.ts";
import { askAboutInstructions } from "./approvals/ask-about-instructions.ts";
import { createChangeHook, recordChanges, type FileChanges } from "./changes/file-changes.ts";
import { createApprovedChanges, trustChanges } from "./changes/instruction-trust.ts";
import { copiesOf, offerLevel, runTour, settersOf, type SharedChoice } from "./session-actions.ts";
import { openHistory, type History } from "./input/history.ts";
import { hostCommands } from "./commands/host-commands.ts";
import { openMcpPrompts } from "./mcp-prompts.ts";
import type { ReplInfo, ReplSession } from "./state/session.ts";

export interface OpenSessionOptions extends Pick<
  RunOptions,
  "flags" | "config" | "hooks" | "around" | "mcpServers" | "ruleLayer"
> {
  /** Added to the system prompt. */
  readonly instructions?: string;
  readonly approver: Approver;
  /** True: a person is at the terminal, and is asked about instructions of the folder; default: false. */
  readonly asksAboutInstructions?: boolean;
  /** True: the person can also choose a level by a key, if none was ever chosen; default: false. */
  readonly asksAboutLevel?: boolean;
  readonly budget: BudgetSetting;
  /** More commands; default: none. */
  readonly programs?: readonly SlashCommand[];
  /** The stored session to resume, or `true` for the last one of the workspace; default: a new one. */
  readonly resume?: string | true;
}

/** The command that trusts items of the folder. */
const TRUST_COMMAND = "/trust";

/** Opens the model, the engine and a session for the REPL. Rejects with a `ToolError`, and leaves nothing open, if one of them fails. */
export async function openSession(options: OpenSessionOptions): Promise<ReplSession> {
  const { flags, config: untrusted, budget, resume, hooks = [], around, mcpServers, ruleLayer } = options;
  const warnings: string[] = [];
  const changeHook = createChangeHook();
  const approved = createApprovedChanges();
  const host = await openHost({
    hooks: [changeHook.hook, ...hooks],
    ...defined({ around, mcpServers, ruleLayer }),
    flags,
    config: untrusted,
    need: "stay",
    readsInstructions: true,
    trustCommand: TRUST_COMMAND,
    approvers: [answeredBy("the user of the session", approved.watch(options.approver))],
    warn: (warning) => warnings.push(warning),
  });
  try {
    const { config } = host;
    await askAtStart(host, options, warnings);
    const agents = createAgentHost(host);
    const file = config.paths.store === ":memory:" ? undefined : join(config.paths.store, "prompts.jsonl");
    const changes = recordChanges(changeHook, {
      engine: host.engine,
      collections: host.store.collections,
      changesFolder: stateFoldersOf(config.paths).changes,
      root: config.paths.workspace[0],
    });
    const shared: Shared = {
      host,
      approver: options.approver,
      agents,
      history: openHistory(file, createConfigMasker(config.environment).text),
      changes,
      trusting: trustChanges({
        engine: host.engine,
        changes,
        approved,
        folder: host.folderTrust,
        root: config.paths.workspace[0],
      }),
      found: undefined,
      budget: { ...config.agent.budget, ...budget },
      programs: options.programs ?? [],
      ...defined({ instructions: options.instructions }),
      model:
        config.agent.model === "" ? NO_MODEL : await openConfiguredModel(config, host.engine.masker.learn),
      mode: config.policy.mode,
      prompts: openMcpPrompts(host),
    };
    if (shared.model === NO_MODEL)
      warnings.push("no model is set: /model lists what you can use, /tour shows Toolwright without one");
    return await openOne(shared, resume, warnings);
  } catch (error) {
    await host.close();
    throw error;
  }
}

/** Asks what a person at the terminal decides before the first message, and warns of a folder that is too broad. */
async function askAtStart(host: Host, options: OpenSessionOptions, warnings: string[]): Promise<void> {
  const { approver, asksAboutLevel, asksAboutInstructions } = options;
  if (asksAboutLevel === true && isLevelUnset(host.config)) await offerLevel(host, approver);
  if (asksAboutInstructions === true) await askFirst(host, approver, warnings);
  const isBroad = broadFolderWarning(host.config.paths);
  if (isBroad !== undefined) warnings.unshift(isBroad);
}

/** Asks about the folder's instructions before the first message, and corrects the warning about what is off. */
async function askFirst(host: Host, approver: Approver, warnings: string[]): Promise<void> {
  const { off } = host.trusted;
  if (!off.some(({ kind }) => kind === "instructions")) return;
  const at = warnings.indexOf(describeOff(off, TRUST_COMMAND));
  const left = await askAboutInstructions(host.folderTrust, approver);
  if (at >= 0) warnings.splice(at, 1, ...(left.length === 0 ? [] : [describeOff(left, TRUST_COMMAND)]));
}

/** What all sessions of one REPL share. */
interface Shared extends SharedChoice {
  readonly changes: FileChanges;
  readonly trusting: ReturnType<typeof trustChanges>;
  readonly history: History;
  readonly budget: BudgetSetting;
  readonly instructions?: string;
  readonly prompts: ReturnType<typeof openMcpPrompts>;
  readonly programs: readonly SlashCommand[];
}

async function openOne(
  shared: Shared,
  resumed: string | true | undefined,
  warnings: readonly string[] = [],
): Promise<ReplSession> {
  const { host, agents, history, changes } = shared;
  const { engine, config, store } = host;
  const agentIds = new Map<string, string>();
  const open = await agents.open({
    model: shared.model,
    resume: resumed,
    kind: "chat",
    budget: shared.budget,
    onEvent: ({ session, agentId }) => void agentIds.set(session, agentId),
    ...defined({ instructions: shared.instructions }),
  });
  const id = open.agent.session;
  const stopWaking = wakeForHooks(engine, open.agent);
  const leave = async (): Promise<void> => {
    stopWaking();
    await open.close();
    if (resumed === undefined) await deleteIfEmpty(agents, id);
  };
  const replace = async (next: string | undefined): Promise<ReplSession> => {
    const session = await openOne(shared, next);
    await leave();
    return session;
  };
  const stored = hostCommands(host, id);
  return {
    agent: open.agent,
    engine,
    history,
    changes,
    warnings,
    get info() {
      return infoOf(shared, id);
    },
    get commands() {
      return [...stored, ...moreCommands(shared)];
    },
    findCommand: (name, signal) => shared.prompts.find(name, signal),
    entries: resumed === undefined ? [] : await agents.transcripts.entries(id),
    todos: () => todosOf(store.collections, id),
    background: () => runningIn(shared, id).map(({ process }) => process.ended),
    sessions: () => agents.transcripts.list({ workspace: config.paths.workspace[0] }),
    team: () => membersOf(open),
    nameOf: (session) => open.team.members().find((one) => one.id === agentIds.get(session))?.name,
    recordCommand: (text, output) => agents.transcripts.append(id, { kind: "command", text, output }),
    ...settersOf(shared, open),
    trustNextInstructions: () => shared.trusting.untilAnswered(open.agent),
    processes: () => processesIn(shared, id),
    ...copiesOf(shared, id, replace),
    tour: (show) => runTour(shared, replace, show),
    exportAs: (form) => exportSession(shared, id, form),
    newSession: () => replace(undefined),
    resume: replace,
    close: () => leave().then(() => host.close()),
  };
}

/** Returns the commands that are not the REPL's own: of the program, of MCP servers and of extensions. */
function moreCommands({ host, programs, prompts }: Shared): readonly SlashCommand[] {
  const ofExtensions = [...host.extensions.commands().values()];
  return [...programs, ...prompts.known(), ...ofExtensions.map((one) => toSlashCommand(one))];
}

function processesIn({ host }: Shared, id: string): readonly NamedProcess[] {
  return host.engine.session(id).find(BackgroundKey)?.list() ?? [];
}

function runningIn(shared: Shared, id: string): readonly NamedProcess[] {
  return processesIn(shared, id).filter(isRunning);
}

function infoOf(shared: Shared, id: string): ReplInfo {
  const { host, model, mode, budget } = shared;
  const { workspace, userHome: home } = host.config.paths;
  return {
    id,
    workspace: workspace[0],
    home,
    model: model.id,
    window: model.window,
    mode,
    level: host.level(),
    budget: toBudget(budget),
    background: runningIn(shared, id).length,
    instructions: host.folderTrust.instructions(),
  };
}

/** Deletes a session without messages. */
async function deleteIfEmpty({ transcripts }: AgentHost, id: string): Promise<void> {
  if ((await transcripts.entries(id)).length === 0) await transcripts.delete(id);
}

/** Returns no members for an agent that works alone. */
function membersOf({ team }: OpenAgent): ReturnType<ReplSession["team"]> {
  const members = team.members();
  return members.length > 1 ? members : [];
}

async function exportSession(
  { agents, host }: Shared,
  id: string,
  form: "markdown" | "json",
): Promise<string> {
  const [info, entries] = await Promise.all([agents.transcripts.info(id), agents.transcripts.entries(id)]);
  if (info === undefined) throw new ToolError("UNAVAILABLE", "the conversation has no messages yet");
  const { masker } = host.engine;
  return form === "json" ? exportJson(info, entries, masker) : exportMarkdown(info, entries, masker);
}
