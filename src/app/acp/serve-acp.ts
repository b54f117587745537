import { Readable } from "node:stream";
import {
  agent,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type AgentCapabilities,
  type AgentContext,
  type ClientCapabilities,
  type ListSessionsResponse,
  type McpServer,
} from "@agentclientprotocol/sdk";
import { ToolError } from "../../core/errors.ts";
import { withHint } from "../../util/text/error-message.ts";
import { loadConfig, type ConfigFlags } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import type { BudgetSetting } from "../config/settings/budget-setting.ts";
import { withTranscripts } from "../host/store/find-session.ts";
import { afterInitialize } from "./after-initialize.ts";
import { openAcpSession, type AcpSession } from "./acp-session.ts";
import { defined } from "../../util/json/defined.ts";

export interface ServeAcpOptions {
  readonly stdin: NodeJS.ReadableStream;
  /** Writes a part of the protocol. */
  readonly write: (text: string) => Promise<void>;
  /** Prints a line for people, never to the protocol's stream. */
  readonly log: (line: string) => void;
  readonly flags: ConfigFlags;
  readonly environment: Environment;
  readonly budget: BudgetSetting;
  readonly version: string;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
}

/** Serves the one client on standard input and output until it leaves or the process is asked to end; then closes its sessions. */
export async function serveAcp(options: ServeAcpOptions): Promise<void> {
  const decoder = new TextDecoder();
  const output = new WritableStream<Uint8Array>({
    write: (chunk) => options.write(decoder.decode(chunk, { stream: true })),
  });
  const input = Readable.toWeb(options.stdin as Readable) as ReadableStream<Uint8Array>;
  const served = createServed(options);
  const connection = createApp(served, options).connect(afterInitialize(ndJsonStream(output, input)));
  const end = (): void => connection.close();
  options.signal.addEventListener("abort", end, { once: true });
  if (options.signal.aborted) end();
  await connection.closed;
  await served.close();
}

const CAPABILITIES: AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
};

function createApp(served: Served, { version }: ServeAcpOptions) {
  const get = (id: string): AcpSession => {
    const openSession = served.sessions.get(id);
    if (openSession === undefined) throw RequestError.resourceNotFound(`session ${id} is not open`);
    return openSession;
  };
  return agent({ name: "toolwright" })
    .onRequest("initialize", ({ params }) => {
      served.capabilities = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: "toolwright", title: "Toolwright", version },
        agentCapabilities: CAPABILITIES,
        authMethods: [],
      };
    })
    .onRequest("session/new", async ({ params, client }) => {
      const { id: sessionId, modes } = await answering(() => served.open(client, params));
      return { sessionId, modes };
    })
    .onRequest("session/load", async ({ params, client }) => {
      const session = await answering(() => served.open(client, params, params.sessionId));
      session.replay();
      return { modes: session.modes };
    })
    .onRequest("session/resume", async ({ params, client }) => {
      const wanted = { mcpServers: [], ...params };
      const { modes } = await answering(() => served.open(client, wanted, params.sessionId));
      return { modes };
    })
    .onRequest("session/list", ({ params }) => answering(() => served.list(params.cwd, params.cursor)))
    .onRequest("session/delete", ({ params }) => answering(() => served.remove(params.sessionId)))
    .onRequest("session/close", ({ params }) => answering(() => served.closeOne(params.sessionId)))
    .onRequest("session/set_mode", async ({ params }) => {
      await get(params.sessionId).setMode(params.modeId);
      return {};
    })
    .onRequest("session/prompt", ({ params }) => get(params.sessionId).prompt(params.prompt))
    .onNotification("session/cancel", ({ params }) => served.sessions.get(params.sessionId)?.cancel());
}

/** Turns an error of ours into one of the protocol. */
async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code } = error;
    throw new RequestError(code === "INVALID_INPUT" ? -32602 : -32603, withHint(error), { code });
  }
}

/** Where a client wants a session. */
interface Wanted {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers: readonly McpServer[];
}

type Served = ReturnType<typeof createServed>;

const PAGE = 50;

/** Holds the sessions of the connection. Each has an engine of its own: its mode, its folder and its servers are its own. */
function createServed({ flags, environment, budget, log }: ServeAcpOptions) {
  const sessions = new Map<string, AcpSession>();
  const configOf = (cwd: string | null | undefined, roots: readonly string[] = []) =>
    loadConfig(flags, { ...environment, cwd: cwd ?? environment.cwd, roots });
  const closeOne = async (id: string): Promise<Record<string, never>> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.close();
    return {};
  };
  return {
    sessions,
    capabilities: {} as ClientCapabilities,
    closeOne,
    async open(context: AgentContext, wanted: Wanted, resume?: string): Promise<AcpSession> {
      if (resume !== undefined) await closeOne(resume);
      const session = await openAcpSession({
        context,
        capabilities: this.capabilities,
        log,
        flags,
        budget,
        config: configOf(wanted.cwd, wanted.additionalDirectories),
        mcpServers: Object.fromEntries(wanted.mcpServers.map((server) => [server.name, toWritten(server)])),
        ...defined({ resume }),
      });
      sessions.set(session.id, session);
      // The client must know the session before it gets updates about it.
      setImmediate(() => void session.announce());
      return session;
    },
    list(cwd: string | null | undefined, cursor: string | null | undefined): Promise<ListSessionsResponse> {
      const config = configOf(cwd);
      const [workspace] = config.paths.workspace;
      return withTranscripts(config, async (transcripts) => {
        const all = await transcripts.list(typeof cwd === "string" ? { workspace } : {});
        // Sessions without a title have no message; those of subagents belong to their parent's.
        const listed = all.filter(({ agent: { parentId }, title }) => parentId === undefined && title !== "");
        const start = Number(cursor ?? 0) || 0;
        const page = listed.slice(start, start + PAGE);
        const isLast = start + PAGE >= listed.length;
        return {
          sessions: page.map(({ id, workspace: folder, title, updatedAt }) => ({
            sessionId: id,
            cwd: folder,
            title,
            updatedAt: new Date(updatedAt).toISOString(),
          })),
          ...(!isLast && { nextCursor: String(start + PAGE) }),
        };
      });
    },
    async remove(id: string) {
      await closeOne(id);
      await withTranscripts(configOf(undefined), (transcripts) => transcripts.delete(id));
      return {};
    },
    async close() {
      await Promise.all(Array.from(sessions.keys(), closeOne));
    },
  };
}

/** Returns a server of the client as it is written in a config. `mcp approve` does not know it: its tools are not pinned. */
function toWritten(server: McpServer) {
  if ("url" in server)
    return { type: server.type, url: server.url, headers: pairs(server.headers), acceptChanges: true };
  const { command, args, env } = server;
  return { command, args, env: pairs(env), acceptChanges: true };
}

function pairs(list: readonly { readonly name: string; readonly value: string }[]) {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
