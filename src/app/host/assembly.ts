import type { Approver } from "../../core/approval.ts";
import type { Around, Executor } from "../../core/executor.ts";
import type { Hook } from "../../core/hook.ts";
import type { Listener } from "../../core/events.ts";
import type { Skills } from "../../core/skills.ts";
import type { SourceProblem } from "../../core/source.ts";
import type { Mode, Policy } from "../../core/policy.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { Extensions } from "../../sources/extension/extensions.ts";
import type { Log } from "../../sources/extension/instance.ts";
import type { Masker } from "../../secrets/mask.ts";
import type { ConfigGroups } from "../config/groups.ts";
import type { Store } from "./store/open-configured-store.ts";
import type { McpServers } from "../../sources/mcp/types/source-types.ts";
import type { HostFleet } from "./fleet/host-fleet.ts";
import type { IsTrusted, Trust } from "../config/files/trust.ts";

export interface AssembleOptions {
  /** True: sampling requests of MCP servers are passed on to clients that support them. */
  readonly passesSampling?: boolean;
  readonly approver?: Approver;
  /** Masks secrets; learns those of the config and of its sources. Default: a new one. */
  readonly masker?: Masker;
  /** Run after those of the config. */
  readonly hooks?: readonly Hook[];
  /** Wrap the execution of every call. */
  readonly around?: readonly Around[];
  readonly log?: Listener;
  /** Receives what extensions log. */
  readonly extensionLog?: Log;
  /** Default: the built-in rules alone, under the config's mode. */
  readonly policy?: Policy;
  /** Default: the mode of the policy. */
  readonly currentMode?: () => Mode;
  /** Decides which items of the project have an effect; default: none. */
  readonly isTrusted?: IsTrusted;
  /** Says for messages whether an item was trusted before it changed. */
  readonly wasTrusted?: Trust["wasTrusted"] | undefined;
  /** Loads sources at once and again when they change; default: when they are first needed. */
  readonly isLongLived?: boolean;
  /** The name of the one tool that is called: built-in tools that it does not need may be missing. Default: all are there. */
  readonly only?: string | undefined;
  /** Starts MCP servers whose tools are known from before when one of these is called; default: when tools are listed. */
  readonly startsMcpLate?: boolean;
  /** Default: tools run in this process. */
  readonly executors?: readonly Executor[];
  /** The fleet of the config; default: none. */
  readonly fleet?: HostFleet;
  /** Default: nothing is stored, for inspecting tools without running them. */
  readonly store?: Store;
}

/** The engine with its tools and sources. */
export interface Assembly {
  readonly engine: Engine;
  /** What MCP servers have besides tools; undefined if there is no server. */
  readonly mcp: McpServers | undefined;
  /** The workspace's own session, the same for every process that runs calls in it. */
  readonly session: string;
  readonly skills: Skills;
  readonly extensions: Extensions;
  readonly fleet: HostFleet;
  /** Returns everything that could not be used, and why; sources that are not loaded yet have no problems. */
  readonly problems: () => Promise<readonly SourceProblem[]>;
  /** One line for each setting without effect. */
  readonly warnings: readonly string[];
  /** Cancels what is running, then closes the store. */
  close(): Promise<void>;
}

/** The groups of the config that an engine is made from: not the store, the sandbox and the fleet, which are opened before. */
export type EngineConfig = ConfigGroups<
  | "agent"
  | "apis"
  | "browser"
  | "calls"
  | "environment"
  | "hooks"
  | "mcp"
  | "paths"
  | "policy"
  | "profile"
  | "tools"
  | "web"
>;
