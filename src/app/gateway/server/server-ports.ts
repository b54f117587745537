import type * as protocol from "@modelcontextprotocol/server";
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Ceiling } from "../../../core/policy.ts";
import type { CallOutcome } from "../clients/call-tool.ts";
import type { ClientSession } from "../clients/client-session.ts";
import type { Gateway, Level } from "../clients/gateway.ts";
import type { QuickCalls } from "./quick-calls.ts";
import type { Rounds } from "../clients/rounds.ts";
import type { ServerInfo } from "../clients/server-facts.ts";

/** The protocol's own package, which is loaded when it is needed. */
export type Sdk = typeof protocol;

/** What a protocol's server needs of us. Everything of it is asked for when a request comes, so that a handshake waits for nothing. */
export interface ServerPorts {
  readonly info: ServerInfo;
  readonly gateway: () => Promise<Gateway>;
  /** What bounds the client. */
  readonly ceilings: readonly Ceiling[];
  /** Whose request it is. */
  readonly session: (context: ServerContext) => Promise<ClientSession>;
  /** For the revision in which a server cannot ask its client in between. */
  readonly rounds: Rounds<CallOutcome>;
  /** The least that is told of what tools say. */
  readonly level: { current: Level };
  /** The call that was begun for a request before the server heard of it. */
  readonly begun?: QuickCalls["begun"];
}
