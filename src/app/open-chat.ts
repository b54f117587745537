import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { AgentListener } from "../agent/agent-events.ts";
import { exportJson } from "../agent/sessions/export-json.ts";
import { exportMarkdown } from "../agent/sessions/export-markdown.ts";
import type { Approver } from "../core/approval.ts";
import { ToolError } from "../core/errors.ts";
import type { Model } from "../core/model.ts";
import { createMasker } from "../engine/mask.ts";
import { todosOf } from "../tools/memory/todos.ts";
import type { AgentHost } from "./agent-host.ts";
import { createAgentHost } from "./agent-host.ts";
import { chatCommands } from "./chat-commands.ts";
import type { ConfigFlags } from "./config.ts";
import { toBudget } from "./models-setting.ts";
import type { OpenAssembly } from "./open-assembly.ts";
import { openAssembly } from "./open-assembly.ts";
import { openConfiguredModel } from "./open-configured-model.ts";
import { openHistory } from "./repl/edit/history.ts";
import type { History } from "./repl/edit/history.ts";
import type { ReplSession } from "./repl/session.ts";

export interface OpenChatOptions {
  readonly flags: ConfigFlags;
  readonly approver: (opened: Pick<OpenAssembly, "config" | "store">) => Approver | Promise<Approver>;
  /** A kept session by its id, or the last one of this workspace; left out: a new one. */
  readonly resume?: string | { readonly last: true };
}

/** The engine and whatever lives as long as the program, for one conversation after the other. */
interface Room {
  readonly opened: OpenAssembly;
  readonly host: AgentHost;
  readonly history: History;
  readonly warnings: readonly string[];
  mode: OpenAssembly["config"]["mode"];
  model: Model;
}

/** Opens a conversation for the REPL: the engine, the model and the session. Without a model it opens too, and says so when asked. */
export async function openChat({ flags, approver, resume }: OpenChatOptions): Promise<ReplSession> {
  const warnings: string[] = [];
  const opened = await openAssembly({
    flags,
    approver,
    warn: (warning) => void warnings.push(warning),
    isLongLived: true,
  });
  try {
    const { config } = opened;
    const host = createAgentHost(opened);
    const room: Room = {
      opened,
      host,
      warnings,
      mode: config.mode,
      model: config.model === "" ? NO_MODEL : await openConfiguredModel(config),
      history: openHistory({
        mask: createMasker(config.secrets).text,
        ...(config.store !== ":memory:" && { file: join(config.store, "history") }),
      }),
    };
    return await openSession(room, await sessionToOpen(room, resume));
  } catch (error) {
    await opened.assembly.close();
    throw error;
  }
}

interface Chosen {
  readonly session: string;
  readonly mustBeKept: boolean;
}

async function sessionToOpen(room: Room, resume: OpenChatOptions["resume"]): Promise<Chosen> {
  if (resume === undefined) return newSession();
  if (typeof resume === "string") return { session: resume, mustBeKept: true };
  const [workspace] = room.opened.config.workspace;
  const [last] = await room.host.transcripts.list({ workspace, limit: 1 });
  if (last !== undefined) return { session: last.id, mustBeKept: true };
  throw new ToolError("INVALID_INPUT", "there is no kept session of this folder yet", {
    hint: "leave out the id to begin one",
  });
}

function newSession(): Chosen {
  return { session: `chat-${randomUUID().slice(0, 8)}`, mustBeKept: false };
}

async function openSession(room: Room, chosen: Chosen): Promise<ReplSession> {
  const { opened, host } = room;
  const { assembly, config, store } = opened;
  const { transcripts } = host;
  const [workspace] = config.workspace;
  const { session } = chosen;
  const { agent, team, use, close } = await host.open({
    ...chosen,
    model: room.model,
    budget: config.budget,
    onEvent: NOBODY,
    isConversation: true,
  });
  const entries = await transcripts.entries(session);
  const replaced = async (other: Chosen): Promise<ReplSession> => {
    const next = await openSession(room, other);
    await close();
    return next;
  };
  return {
    agent,
    engine: assembly.engine,
    entries,
    history: room.history,
    warnings: room.warnings,
    get info() {
      return {
        id: session,
        model: room.model.id,
        mode: room.mode,
        workspace,
        budget: toBudget(config.budget),
      };
    },
    get commands() {
      return chatCommands(opened);
    },
    todos: async () =>
      (await todosOf(store.collections, session)).map(({ content, status }) => ({ text: content, status })),
    sessions: () => transcripts.list({ workspace }),
    team: () => team.members(),
    recordCommand: async (text, output) =>
      void (await transcripts.append(session, { kind: "command", text, output })),
    async setMode(mode) {
      await opened.setMode(mode);
      room.mode = mode;
    },
    async setModel(id) {
      const model = await openConfiguredModel(config, id);
      use(model);
      room.model = model;
    },
    async exportAs(form) {
      const info = await transcripts.info(session);
      if (info === undefined) throw new ToolError("INVALID_INPUT", "there is nothing to export yet");
      const kept = await transcripts.entries(session);
      return form === "json" ? exportJson(info, kept) : exportMarkdown(info, kept);
    },
    newSession: () => replaced(newSession()),
    resume: (id) => replaced({ session: id, mustBeKept: true }),
    async close() {
      await close();
      await assembly.close();
    },
  };
}

const NOBODY: AgentListener = () => undefined;

/** For whoever has not said which model to ask: everything but asking works. */
const NO_MODEL: Model = {
  id: "no model",
  format: "openai",
  window: 128_000,
  price: undefined,
  stream() {
    throw new ToolError("INVALID_INPUT", "no model is set", {
      hint: "choose one: /model provider/name, such as /model anthropic/NAME; docs/models.md lists the providers",
    });
  },
};
