import type { Artifacts } from "../../../core/store/artifacts.ts";
import type { Progress } from "../../../core/context.ts";
import type { Event } from "../../../core/events.ts";
import type { Ceiling, Policy } from "../../../core/policy.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { createPolicy } from "../../../policy/policy.ts";
import type { Coalesced } from "../../../util/async/coalesce.ts";
import { coalesce } from "../../../util/async/coalesce.ts";
import type { Approvals } from "./approvals.ts";
import type { ClientSession, SessionPorts } from "./client-session.ts";
import { openClientSession } from "./client-session.ts";
import type { Reach } from "./reach.ts";
import { createReach } from "./reach.ts";
import type { UpstreamMcp } from "../upstream/upstream.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";

/** The lists that a client may have read. */
export type Listed = "tools" | "resources" | "prompts";

/** The levels of what is told to clients, as MCP names them. */
export type Level = "debug" | "info" | "notice" | "warning" | "error";

/** What a client hears without having asked. */
export interface ClientListener {
  changed(what: Listed): void;
  log(level: Level, message: string): void;
}

/** The engine as clients of MCP see it. */
export interface Gateway {
  /** What servers behind us have besides tools, once they had time to come; undefined where there is no server. */
  readonly behind: () => Promise<UpstreamMcp | undefined>;
  /** What a client under these ceilings may have of it. */
  readonly reach: (ceilings: readonly Ceiling[]) => Reach;
  /** Hides secrets in what is passed on without an answer of the engine. */
  readonly mask: (text: string) => string;
  /** Opens a session of its own for a client. */
  open(ceilings: readonly Ceiling[], listener: ClientListener): ClientSession;
  /** Tells the client whose session it is. */
  tell(session: string | undefined, level: Level, message: string): void;
  /** Settles when every source has told its tools, or at the latest after a time that a client can wait. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly engine: Engine;
  readonly approvals: Approvals;
  readonly artifacts?: Artifacts;
  readonly upstream?: UpstreamMcp;
  /** The engine's own, for what is no call; left out: only ceilings bound it. */
  readonly policy?: Policy;
  /** Left out: nothing is a secret. */
  readonly mask?: (text: string) => string;
  /** Above so many active tools a client sees few; 100. */
  readonly toolLimit?: number;
  readonly timeoutMs?: number;
}

const DEFAULT_TOOL_LIMIT = 100;
/** How long a first list waits for sources; the rest is told when it comes. */
const READY_MS = 3000;
/** Changes that come together are told once. */
const QUIET_MS = 100;

/** Serves one engine to any number of clients. It closes the sessions it opened, never the engine. */
export function createGateway(options: GatewayOptions): Gateway {
  const { engine, approvals, upstream, artifacts, timeoutMs, toolLimit = DEFAULT_TOOL_LIMIT } = options;
  const clients = new Map<ClientSession, Client>();
  const news = listen(options, clients);
  let settled: Promise<void> | undefined;
  const { policy = createPolicy({ mode: "yolo", workspace: [] }) } = options;
  const ports = { engine, approvals, toolLimit, timeoutMs, artifacts, ...news };
  const ready = (): Promise<void> => {
    settled ??= withTimeout(engine.sources.settled(), READY_MS, () => undefined);
    return settled;
  };
  return {
    ready,
    behind: async () => (upstream === undefined ? undefined : ready().then(() => upstream)),
    reach: (ceilings) => createReach({ engine, policy, ceilings }),
    mask: options.mask ?? ((text) => text),
    open(ceilings, listener) {
      const own = {
        tools: coalesce(() => listener.changed("tools"), QUIET_MS),
        resources: coalesce(() => listener.changed("resources"), QUIET_MS),
      };
      const session = openClientSession(ports, { ceilings, onChanged: (what) => own[what].request() });
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
    tell(session, level, message) {
      for (const [{ id }, { listener }] of clients) if (id === session) listener.log(level, message);
    },
    async close() {
      news.stop();
      upstream?.close();
      const open = [...clients.keys()];
      for (const { own } of clients.values()) for (const one of Object.values(own)) one.close();
      clients.clear();
      await Promise.allSettled(open.map((session) => session.close()));
    },
  };
}

interface Client {
  readonly listener: ClientListener;
  /** Tells of what has changed for this client alone. */
  readonly own: Readonly<Record<"tools" | "resources", Coalesced>>;
}

interface News extends Pick<SessionPorts, "version" | "hearDuring"> {
  stop(): void;
}

/** Hears the engine for all clients: what each call tells goes to its own, changes and troubles to everyone. */
function listen({ engine, upstream }: GatewayOptions, clients: ReadonlyMap<ClientSession, Client>): News {
  const hearers = new Map<string, (progress: Progress) => void>();
  let changes = 0;
  const tell = (what: Listed): Coalesced =>
    coalesce(() => {
      for (const { listener } of clients.values()) listener.changed(what);
    }, QUIET_MS);
  const told = { tools: tell("tools"), resources: tell("resources"), prompts: tell("prompts") };
  const stops = [
    engine.on(
      (event) => {
        if (event.type === "call.progressed") hearers.get(event.callId)?.(event.progress);
      },
      ["call.progressed"],
    ),
    engine.on((event) => {
      // A source that only begins to load has changed nothing yet.
      if (event.type === "source.changed" && event.state === "in_progress") return;
      changes += 1;
      if (event.type !== "group.changed" || event.session === undefined) return told.tools.request();
      for (const [{ id }, { own }] of clients) if (id === event.session) own.tools.request();
    }, CHANGES),
    engine.on((event) => {
      const note = noteOn(event, engine);
      if (note !== undefined) for (const { listener } of clients.values()) listener.log(...note);
    }, NOTED),
    upstream?.watch((what) => told[what].request()) ?? (() => undefined),
  ];
  return {
    // Below zero: the engine's own numbers are above.
    version: () => -1 - changes,
    hearDuring(callId, hear) {
      hearers.set(callId, hear);
      return () => hearers.delete(callId);
    },
    stop() {
      for (const stop of stops) stop();
      for (const one of Object.values(told)) one.close();
    },
  };
}

const CHANGES: readonly Event["type"][] = ["tool.added", "tool.removed", "group.changed", "source.changed"];
const NOTED: readonly Event["type"][] = ["source.changed", "journal.failed", "hook.failed"];

/** What everybody who listens should know of an event. */
function noteOn(event: Event, engine: Engine): readonly [Level, string] | undefined {
  if (event.type === "journal.failed") return ["error", `an answer could not be kept: ${event.message}`];
  if (event.type === "hook.failed") return ["error", `the hook "${event.hook}" failed: ${event.message}`];
  if (event.type !== "source.changed" || event.state === "in_progress" || event.problems === 0)
    return undefined;
  const problems = engine.sources.problems().filter(({ source }) => source === event.source);
  const lines = problems.map(({ subject, message }) => `${subject}: ${message}`);
  return ["warning", `${event.source}: ${lines.join("; ") || "it could not be read"}`];
}
