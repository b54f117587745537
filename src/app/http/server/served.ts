import type { Content } from "../../../core/content.ts";
import type { Mode } from "../../../core/policy.ts";
import type { SourceProblem } from "../../../core/source.ts";
import type { ToolSpec } from "../../../core/spec.ts";
import type { Journal } from "../../../core/store/journal.ts";
import type { Grants } from "../../../core/grant.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { McpServers } from "../../../sources/mcp/types/source-types.ts";
import type { ApprovalQueue } from "../../../store/database/approval-queue.ts";
import type { Slots } from "../../../util/async/slots.ts";
import type { Figures } from "../../../store/figures/figures.ts";
import type { Store } from "../../../store/replaceable-store.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import type { IsTrusted, Trust } from "../../config/files/trust.ts";
import type { HostFleet } from "../../host/fleet/host-fleet.ts";
import type { Chat } from "../api/chat-shapes.ts";
import type { Source } from "../api/host-shapes.ts";
import type { PageName } from "../api/page-names.ts";
import type { AnswerOf, BodyOf } from "../api/routes.ts";
import type { CallEvents, RunningCalls } from "../calls/running-calls.ts";
import type { McpTraffic } from "./mcp-traffic.ts";
import type { EventHub } from "../events/event-hub.ts";

/** The conversations that are open in this process. */
export interface Chats {
  open(given: BodyOf<"openChat">): Promise<Chat>;
  list(): readonly Chat[];
  /** Throws if no open conversation has the id. */
  get(id: string): Chat;
  /** Sends a message; true if the agent was busy. The events of the session have its answer. */
  send(id: string, content: readonly Content[]): boolean;
  /** Opens a copy of a conversation, open or stored, that ends before the message with the number `before`. */
  fork(id: string, before: number): Promise<Chat>;
  /** Uses another model from the next request on. Rejects if it cannot be opened. */
  use(id: string, model: string): Promise<Chat>;
  context(id: string): Promise<AnswerOf<"chatContext">>;
  /** Returns the models that can be used; looks for them once. */
  models(): Promise<AnswerOf<"models">["models"]>;
  cancel(id: string): boolean;
  close(id: string): Promise<void>;
  closeAll(): Promise<void>;
}

/** What the operations on calls, approvals and tools work on: of the host of this server, or of the program that serves its own engine. */
export interface ServedEngine {
  readonly engine: Engine;
  readonly store: Pick<Store, "journal" | "artifacts" | "collections">;
  readonly grants: Pick<Grants, "list" | "revoke">;
  /** The pages of the console that have something to show. */
  readonly pages: readonly PageName[];
  /** The folders of the workspace; a program has none. */
  readonly workspace: readonly string[];
  /** Without another choice only its calls and sessions are listed; undefined: all are. */
  readonly folder: string | undefined;
  /** The session of calls that name none. */
  readonly session: string;
  /** Returns the approval mode; undefined if only the program knows it. */
  readonly mode: () => Mode | undefined;
  /** Undefined if none is set. */
  readonly model: string | undefined;
  /** Returns the sandbox that programs run in, or `none`. */
  readonly sandbox: () => string;
  /** Runs work below the span that a request names. */
  readonly telemetry: { below<T>(traceparent: unknown, work: () => T): T } | undefined;
  readonly problems: () => Promise<readonly SourceProblem[]>;
  /** Returns the MCP servers that a config names, by the names of their sources. */
  readonly servers: () => Promise<ReadonlyMap<string, NonNullable<Source["server"]>>>;
  readonly hub: EventHub;
  readonly queue: ApprovalQueue;
  readonly figures: Figures;
  /** The journal of the host, and that of its fleet if it is another. `store.journal` lists the calls of both, but pages only through its own. */
  readonly journals: () => readonly Journal[];
  readonly callEvents: CallEvents;
  readonly running: RunningCalls;
  /** Limits the calls that run at a time: those of the API and of MCP clients together. */
  readonly slots: Slots;
  /** The conversations that are open here; closing one ends what its agent does. */
  readonly chats: Pick<Chats, "list" | "close">;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly warnings: readonly string[];
  /** Returns the tools that a call without an agent can use; inactive ones too. */
  readonly tools: () => readonly (ToolSpec & { readonly isActive: boolean })[];
}

/** The part of the host that only the operations on it use; it is named here, so that they do not import everything that a host opens. */
interface ServedHost {
  readonly config: ConfigGroups<
    "agent" | "auth" | "calls" | "environment" | "fleet" | "mcp" | "paths" | "policy" | "report" | "sandbox"
  >;
  readonly fleet: HostFleet;
  readonly mcp: McpServers | undefined;
  readonly trusted: { readonly isTrusted: IsTrusted; readonly trust: Trust | undefined };
}

/** What the operations of the API of `toolwright serve` work on. */
export interface Served extends ServedEngine {
  readonly host: ServedHost;
  readonly traffic: McpTraffic;
  readonly chats: Chats;
  readonly mode: () => Mode;
  /** Reads the rules again, and uses this mode. */
  readonly setMode: (mode: Mode) => Promise<void>;
}
