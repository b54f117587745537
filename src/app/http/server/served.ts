import type { Mode } from "../../../core/policy.ts";
import type { SourceProblem } from "../../../core/source.ts";
import type { ToolSpec } from "../../../core/spec.ts";
import type { Artifacts } from "../../../core/store/artifacts.ts";
import type { Collections } from "../../../core/store/collection.ts";
import type { Journal } from "../../../core/store/journal.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { McpServers } from "../../../sources/mcp/types/source-types.ts";
import type { ApprovalQueue } from "../../../store/database/approval-queue.ts";
import type { Slots } from "../../../util/async/slots.ts";
import type { Figures } from "../../../store/figures/figures.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import type { IsTrusted, Trust } from "../../config/files/trust.ts";
import type { HostFleet } from "../../host/fleet/host-fleet.ts";
import type { Chat } from "../api/chat-shapes.ts";
import type { BodyOf } from "../api/routes.ts";
import type { CallEvents, RunningCalls } from "../calls/running-calls.ts";
import type { EventHub } from "../events/event-hub.ts";

/** The part of the host that the operations use; it is named here, so that they do not import everything that a host opens. */
interface ServedHost {
  readonly engine: Engine;
  readonly config: ConfigGroups<
    "agent" | "calls" | "environment" | "fleet" | "mcp" | "paths" | "policy" | "report" | "sandbox"
  >;
  readonly store: {
    readonly journal: Journal;
    readonly artifacts: Artifacts;
    readonly collections: Collections;
  };
  readonly fleet: HostFleet;
  /** The session of calls that name none. */
  readonly session: string;
  /** Returns the sandbox that programs run in, or `none`. */
  readonly sandbox: () => string;
  readonly mcp: McpServers | undefined;
  /** Runs work below the span that a request names. */
  readonly telemetry: { below<T>(traceparent: unknown, work: () => T): T } | undefined;
  readonly trusted: { readonly isTrusted: IsTrusted; readonly trust: Trust | undefined };
  readonly problems: () => Promise<readonly SourceProblem[]>;
}

/** The conversations that are open in this process. */
export interface Chats {
  open(given: BodyOf<"openChat">): Promise<Chat>;
  list(): readonly Chat[];
  /** Throws if no open conversation has the id. */
  get(id: string): Chat;
  /** Sends a message; true if the agent was busy. The events of the session have its answer. */
  send(id: string, text: string): boolean;
  cancel(id: string): boolean;
  close(id: string): Promise<void>;
  closeAll(): Promise<void>;
}

/** What the operations of the API work on. */
export interface Served {
  readonly host: ServedHost;
  readonly hub: EventHub;
  readonly queue: ApprovalQueue;
  readonly figures: Figures;
  /** The journal of the host, and that of its fleet if it is another. `host.store.journal` lists the calls of both, but pages only through its own. */
  readonly journals: () => readonly Journal[];
  readonly callEvents: CallEvents;
  readonly running: RunningCalls;
  /** Limits the calls that run at a time: those of the API and of MCP clients together. */
  readonly slots: Slots;
  readonly chats: Chats;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly warnings: readonly string[];
  readonly mode: () => Mode;
  /** Reads the rules again, and uses this mode. */
  readonly setMode: (mode: Mode) => Promise<void>;
  /** Returns the tools that a call without an agent can use; inactive ones too. */
  readonly tools: () => readonly (ToolSpec & { readonly isActive: boolean })[];
}
