import type { Approvals } from "../types/public-types.ts";
import type { LoggingLevel } from "@modelcontextprotocol/server";
import type { Artifacts } from "../../../core/store/artifacts.ts";
import type { EngineEvent } from "../../../core/events.ts";
import type { Ceiling, Policy } from "../../../core/policy.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { MOST_TOOL_TOKENS } from "../../../engine/registry/tool-window.ts";
import type { ToolLimit } from "../../../engine/types/registry.ts";
import { Slots } from "../../../util/async/slots.ts";
import { createPolicy } from "../../../policy/policy.ts";
import type { Telemetry } from "../../../adapters/opentelemetry/telemetry.ts";
import { coalesce, type Coalesced } from "../../../util/async/coalesce.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import { copyJson } from "../../../util/json/copy-json.ts";
import { starPattern } from "../../../util/text/name-pattern.ts";
import { toInstructions } from "./instructions.ts";
import type {
  ClientFace,
  ClientListener,
  ListName,
  ServerInstructions,
  UpstreamMcp,
} from "../types/gateway-types.ts";

import { openClientSession, type ClientSession, type SessionPorts } from "./client-session.ts";
import { createClientAccess } from "./client-access.ts";

export interface GatewayOptions {
  readonly engine: Engine;
  readonly approvals: Approvals;
  readonly artifacts?: Artifacts;
  readonly upstream?: UpstreamMcp;
  /** Judges requests that are no calls; default: only ceilings limit them. */
  readonly judge?: Policy["judge"];
  /** Default: nothing is masked. */
  readonly mask?: (text: string, name?: string) => string;
  /** Inactive tools that a client whose ceilings name them gets nonetheless; default: none. */
  readonly reduced?: ReadonlySet<string>;
  /** Beyond it a client finds tools with `search_tools`; default: 100 tools, of which those that are not built in have 20 000 tokens. */
  readonly toolLimit?: Partial<ToolLimit>;
  /** What clients get, by the name that they give, which may contain `*`; default: everything as it is. */
  readonly clients?: Readonly<Record<string, Omit<ClientFace, "hasLinks">>>;
  readonly timeoutMs?: number;
  /** Default: nothing is traced. */
  readonly telemetry?: Pick<Telemetry, "below">;
  /** The number of calls of all clients that run at a time; default: 16. */
  readonly concurrency?: number;
}

const DEFAULT_CONCURRENCY = 16;
/** The models of clients are not known. */
const DEFAULT_TOOL_LIMIT: ToolLimit = { tools: 100, tokens: MOST_TOOL_TOKENS };
/** How long a first list waits for sources; clients are notified of tools that come later. */
const READY_MS = 3000;
/** Changes within this time are one notification. */
const QUIET_MS = 100;

/** The engine as MCP clients see it. */
export type Gateway = ReturnType<typeof createGateway>;

/** Serves one engine to any number of clients. Closes the sessions it opened, never the engine. */
export function createGateway(options: GatewayOptions) {
  const { engine, approvals, upstream, artifacts, timeoutMs } = options;
  const toolLimit = { ...DEFAULT_TOOL_LIMIT, ...options.toolLimit };
  const clients = new Map<ClientSession, Client>();
  const events = listen(options, clients);
  let settled: Promise<void> | undefined;
  const { judge = judgeAll() } = options;
  const { mask = (text) => text } = options;
  const face = facesOf(options.clients ?? {});
  const slots = new Slots(options.concurrency ?? DEFAULT_CONCURRENCY);
  const { reduced = new Set<string>() } = options;
  const below: SessionPorts["below"] = options.telemetry?.below ?? ((_, work) => work());
  const shared = { engine, approvals, reduced, toolLimit, timeoutMs, artifacts, mask, face, slots };
  const ports = { ...shared, below, ...events };
  /** Settles when every source has loaded, at the latest after the time that a client can wait. */
  const ready = (): Promise<void> => {
    settled ??= withTimeout(engine.sources.settled(), READY_MS, () => undefined);
    return settled;
  };
  return {
    ready,
    /** Limits the calls that run at a time, of all clients and of the API. */
    slots,
    /** Returns the upstream servers once they had time to connect; undefined if none is configured. */
    upstream: async () => (upstream === undefined ? undefined : ready().then(() => upstream)),
    /** Returns what a client under these ceilings may use of the upstream servers. */
    access: (ceilings: readonly Ceiling[]) => createClientAccess(engine, judge, ceilings),
    /** Masks secrets in text that reaches a client without passing the engine. */
    mask,
    /** Returns the input schema of a tool; undefined if there is no such tool. */
    inputOf: (name: string) => engine.get(name)?.input,
    /** Returns the instructions for a client under these ceilings: ours, and those of the servers whose tools it may use. */
    instructions: (ceilings: readonly Ceiling[]) => mask(toInstructions(instructionsOf(options), ceilings)),
    /** Opens a session for one client. `mayApprove` is false for one that is not asked about its calls; default: true. `subject` is the person that it acts for. */
    open(ceilings: readonly Ceiling[], listener: ClientListener, asked: Asked = ASKED): ClientSession {
      const own = noticesTo(listener);
      const session = openClientSession({ ...ports, ...asked }, ceilings, (list) => own[list].request());
      clients.set(session, { listener, own });
      return {
        ...session,
        async close() {
          clients.delete(session);
          for (const one of Object.values(own)) one.close();
          await session.close();
        },
      };
    },
    /** Returns true if the client of this session is asked about its calls, if it can show forms. */
    mayApprove: (session: string | undefined): boolean =>
      [...clients.keys()].every(({ id, mayApprove }) => id !== session || mayApprove),
    /** Sends a log message to the client of this session. */
    notify(session: string | undefined, level: LoggingLevel, message: string): void {
      for (const [{ id }, { listener }] of clients) if (id === session) listener.log(level, message);
    },
    /** Cancels the running calls of every client, and all later ones: each is answered, and says why. */
    stop(): void {
      for (const session of clients.keys()) session.stop();
    },
    async close(): Promise<void> {
      events.stop();
      upstream?.close();
      const open = [...clients.keys()];
      for (const { own } of clients.values()) for (const one of Object.values(own)) one.close();
      clients.clear();
      await Promise.allSettled(open.map((session) => session.close()));
    },
  };
}

type Asked = Pick<SessionPorts, "mayApprove" | "isAlone" | "subject">;
const ASKED: Asked = { mayApprove: true };

function noticesTo(listener: ClientListener): Client["own"] {
  return {
    tools: coalesce(() => listener.changed("tools"), QUIET_MS),
    resources: coalesce(() => listener.changed("resources"), QUIET_MS),
  };
}

/** Returns a judge that allows everything. */
function judgeAll(): Policy["judge"] {
  const policy = createPolicy({ mode: "yolo", workspace: [] });
  return (job, circumstances) => policy.judge(job, circumstances);
}

/** Returns the instructions of the upstream servers, with the names of their tools. */
function instructionsOf({ engine, upstream }: GatewayOptions): readonly ServerInstructions[] {
  return (upstream?.instructions?.() ?? []).map((one) => {
    const tools = engine.list().filter(({ source }) => source === `mcp:${one.server}`);
    return { ...one, tools: tools.map(({ name }) => name) };
  });
}

interface Client {
  readonly listener: ClientListener;
  /** Notify this client alone. */
  readonly own: Readonly<Record<"tools" | "resources", Coalesced>>;
}

function facesOf(clients: NonNullable<GatewayOptions["clients"]>): SessionPorts["face"] {
  const named = Object.entries(clients).map(([name, face]) => ({ matches: starPattern(name), face }));
  return (client = "", version) => {
    const matching = named.filter(({ matches }) => matches(client));
    // Resource links came with 2025-06-18; versions are dates.
    const hasLinks = version !== undefined && version >= "2025-06-18";
    return Object.assign({ hasLinks }, ...matching.map(({ face }) => face)) as ClientFace;
  };
}

/** Listens to the engine for all clients: progress goes to the client of the call, changes and failures to every client. */
function listen({ engine, upstream, mask }: GatewayOptions, clients: ReadonlyMap<ClientSession, Client>) {
  const notifyAll = (list: ListName): Coalesced =>
    coalesce(() => {
      for (const { listener } of clients.values()) listener.changed(list);
    }, QUIET_MS);
  const [tools, resources, prompts] = [notifyAll("tools"), notifyAll("resources"), notifyAll("prompts")];
  const changed = { tools, resources, prompts };
  const stops = [
    engine.on(
      (event) => {
        if (event.type !== "call.progressed") return;
        for (const one of clients.keys())
          if (one.id === event.session) one.progressed(event.callId, event.progress);
      },
      ["call.progressed"],
    ),
    engine.on((event) => {
      // A source that starts to load has changed nothing yet.
      if (event.type === "source.changed" && event.state === "in_progress") return;
      if (event.type !== "group.changed" || event.session === undefined) return changed.tools.request();
      for (const [{ id }, { own }] of clients) if (id === event.session) own.tools.request();
    }, CHANGES),
    engine.on((event) => {
      const message = failureOf(event, engine);
      if (message !== undefined) for (const { listener } of clients.values()) listener.log(...message);
    }, FAILURES),
    upstream?.watch((list) => changed[list].request()) ?? (() => undefined),
    upstream?.watchLogs?.((server, { level, logger = server, data }) => {
      const masked = copyJson(data, undefined, mask);
      for (const { listener } of clients.values()) listener.log(level, masked, logger);
    }) ?? (() => undefined),
  ];
  return {
    stop(): void {
      for (const stop of stops) stop();
      for (const one of Object.values(changed)) one.close();
    },
  };
}

const CHANGES: readonly EngineEvent["type"][] = [
  "tool.added",
  "tool.removed",
  "group.changed",
  "source.changed",
];
const FAILURES: readonly EngineEvent["type"][] = ["source.changed", "journal.failed", "hook.failed"];

/** Returns the log message for an event that reports a failure. */
function failureOf(event: EngineEvent, engine: Engine): readonly [LoggingLevel, string] | undefined {
  if (event.type === "journal.failed") return ["error", `an answer could not be stored: ${event.message}`];
  if (event.type === "hook.failed") return ["error", `the hook "${event.hook}" failed: ${event.message}`];
  if (event.type !== "source.changed" || event.state === "in_progress" || event.problems === 0)
    return undefined;
  const problems = engine.sources.problems().filter(({ source }) => source === event.source);
  const lines = problems.map(({ subject, message }) => `${subject}: ${message}`);
  return ["warning", `${event.source}: ${lines.join("; ") || "it could not be read"}`];
}
