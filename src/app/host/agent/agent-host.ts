import { defined } from "../../../util/json/defined.ts";
import { randomUUID } from "node:crypto";
import type { AgentListener } from "../../../agent/runtime/agent-events.ts";
import { createAgent } from "../../../agent/create-agent.ts";
import { hookMessages, openPromptQueue } from "../../../agent/hooks/prompt-queue.ts";
import { defaultInstructions } from "../../../agent/prompt/default-instructions.ts";
import { withSend, type AgentOptions } from "../../../agent/runtime/running-agent.ts";
import { openTranscripts } from "../../../agent/sessions/open-transcripts.ts";
import type { Transcripts } from "../../../agent/sessions/transcript.ts";
import { createTeam } from "../../../agent/team/create-team.ts";
import type { MemberOptions, TeamHandle } from "../../../agent/team/team-handle.ts";
import type { Approver } from "../../../core/approval.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { InstructionPart } from "../../../core/agent/conversation.ts";
import type { Model } from "../../../core/agent/model.ts";
import { agentTools } from "../../../tools/agents/family.ts";
import { sessionTools } from "../../../tools/session/family.ts";
import { findSession, lastConversation } from "../store/find-session.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import { instructionParts } from "../../config/trust/project-instructions.ts";
import { toBudget, type BudgetSetting } from "../../config/settings/budget-setting.ts";
import type { Host } from "../host.ts";
import { createToolsWait } from "./tools-wait.ts";
import { settingOf } from "../open-configured-model.ts";
import { createEnvironmentNews, environmentPrompt } from "./environment-prompt.ts";
import { reduceTools } from "./default-tools.ts";

export interface OpenAgentOptions {
  readonly model: Model;
  /** The stored session to resume: its id, a unique prefix of it, or `true` for the last one of the workspace; default: a new one. */
  readonly resume?: string | true | undefined;
  /** The first part of the id of a new session. */
  readonly kind: "chat" | "run";
  readonly budget: BudgetSetting;
  readonly outputSchema?: JsonObject;
  /** Added to the end of the system prompt of the agent, not of those that it starts. */
  readonly instructions?: string;
  /** Receives the events of the agent and of those that it starts. */
  readonly onEvent: AgentListener;
}

/** An agent and its team. `await using` closes it. */
export type OpenAgent = Awaited<ReturnType<typeof openAgent>>;

/** Opens agents on one engine. */
export type AgentHost = ReturnType<typeof createAgentHost>;

/** Adds the tools for agents to an engine, and opens agents on it. Call it once for an engine. */
export function createAgentHost(host: Host) {
  const { engine, skills, config, store } = host;
  const { dumps } = stateFoldersOf(config.paths);
  engine.add([...sessionTools({ skills, dumpsFolder: dumps }), ...agentTools()]);
  reduceTools(engine, config.tools.groups);
  const transcripts = openTranscripts(store.collections);
  const waitForTools = createToolsWait(engine);
  return {
    transcripts,
    /** Throws a `ToolError` if there is no session to resume. */
    async open(options: OpenAgentOptions): Promise<OpenAgent> {
      const session = await sessionOf(transcripts, options, config.paths.workspace[0]);
      return openAgent(host, { ...options, session, ready: waitForTools });
    },
  };
}

async function sessionOf(
  transcripts: Transcripts,
  { resume, kind }: OpenAgentOptions,
  workspace: string,
): Promise<string> {
  if (resume === undefined) return `${kind}-${randomUUID().slice(0, 8)}`;
  if (resume === true) return lastConversation(transcripts, workspace);
  return (await findSession(transcripts, resume)).id;
}

interface SessionOptions extends OpenAgentOptions {
  readonly session: string;
  readonly ready: NonNullable<AgentOptions["ready"]>;
}

async function openAgent(host: Host, options: SessionOptions) {
  const { skills } = host;
  const { collections } = host.store;
  const { session, onEvent } = options;
  const environment = await environmentPrompt(host);
  const traced = (one: Model): Model => host.telemetry?.model(one) ?? one;
  let model = traced(options.model);
  const team: TeamHandle = createTeam({
    collections,
    skills,
    async open(member) {
      const agent = await createAgent(
        agentOptions(host, { ...options, environment }, { ...member, model: team.share(model) }),
      );
      agent.on(onEvent);
      const { telemetry } = host;
      if (telemetry === undefined) return agent;
      return withSend(agent, (...message) => telemetry.agent(agent, () => agent.send(...message)));
    },
  });
  const identity = { id: session, name: "Toolwright" };
  const agent = await team.root({ identity, session, budget: toBudget(options.budget) });
  return {
    agent,
    team,
    /** Changes the model of the agent, and of those it starts from now on. */
    use(other: Model): void {
      model = traced(other);
      agent.use(team.share(model));
    },
    close: () => agent.close(),
    [Symbol.asyncDispose]: () => agent.close(),
  };
}

interface PromptOptions {
  readonly environment: readonly InstructionPart[];
}

function agentOptions(
  host: Host,
  { session, outputSchema, ready, instructions: added = "", environment }: SessionOptions & PromptOptions,
  { instructions, incoming, ...member }: MemberOptions & { readonly model: Model },
): AgentOptions {
  const { engine, skills, config, store, approver, folderTrust } = host;
  const [workspace] = config.paths.workspace;
  const { temperature, maxOutputTokens } = settingOf(config.agent, member.model.id);
  const isRoot = member.parentSession === undefined;
  const base = defaultInstructions({
    workspace,
    mode: host.mode(),
    date: new Date(),
    agent: member.identity,
  });
  return {
    ...member,
    engine,
    skills,
    collections: store.collections,
    journal: store.journal,
    workspace,
    toolLimit: config.tools.limit,
    // Read again whenever the prompt is made anew; in between, news has what was trusted since.
    get instructions() {
      return [
        { name: "instructions", text: base },
        ...environment,
        ...instructionParts(folderTrust.instructions()),
        { name: "role", text: instructions },
        { name: "instructions of this run", text: isRoot ? added : "" },
      ];
    },
    news: createEnvironmentNews({ config, mode: host.mode, instructions: folderTrust.instructions }),
    incoming: isRoot ? both(incoming, hookMessages(openPromptQueue(store.collections), session)) : incoming,
    ready,
    ask: askThrough(approver, member.session),
    ...defined({ outputSchema: isRoot ? outputSchema : undefined, temperature, maxOutputTokens }),
  };
}

type Incoming = NonNullable<AgentOptions["incoming"]>;

/** Takes messages of the team last, when nothing can fail any more: taking removes them. */
function both(team: Incoming, prompts: Incoming): Incoming {
  return async () => {
    const tasks = await prompts();
    return [...(await team()), ...tasks];
  };
}

/** Sends the agent's own questions to the approver. */
function askThrough(approver: Approver, session: string): NonNullable<AgentOptions["ask"]> {
  return (question, signal) => {
    const id = randomUUID();
    const call = { callId: id, hash: id, tool: "agent", risk: "medium", input: {}, facts: [] } as const;
    return approver.ask({ ...call, reason: question.text, session, question }, signal);
  };
}
