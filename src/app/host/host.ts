import type { Approver } from "../../core/approval.ts";
import type { JoinedApprover } from "./approvals/join-approvers.ts";
import type { Listener } from "../../core/events.ts";
import type { Level, Mode, Policy } from "../../core/policy.ts";
import type { RuleLayer } from "../../policy/layers/rule-layer.ts";
import type { Log } from "../../sources/extension/instance.ts";
import type { ApprovalQueue } from "../../store/database/approval-queue.ts";
import type { Config, ConfigGroups, McpSettings } from "../config/groups.ts";
import type { AssembleOptions, Assembly } from "./assembly.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import type { HostTelemetry } from "./telemetry.ts";
import type { ConfiguredRules } from "./configured-policy.ts";
import type { Trusted, UntrustedConfig } from "./store/apply-trust.ts";
import type { FolderTrust } from "./store/folder-trust.ts";
import type { ChosenTools } from "./store/chosen-tools.ts";
import type { Store } from "./store/open-configured-store.ts";

export interface CommonOptions extends UntrustedConfig {
  /** Receives one line for each thing that is ignored or refused. */
  readonly warn: (warning: string) => void;
}

/** For a command that inspects tools and runs none: nothing is written, and a store is opened only if it exists and is needed. */
export interface LookOptions extends CommonOptions, Pick<AssembleOptions, "startsMcpLate"> {
  readonly need: "look";
  /** Opens the store if there is one, for what the workspace's session has seen. */
  readonly readsSession?: boolean;
  /** True: what policy says must hold for a call, so it rejects where a call would, without the sandbox that the config names. */
  readonly judges?: boolean;
  /** True: the tools that activate_tools chose for the workspace's session are forgotten. */
  readonly resetsTools?: boolean;
}

/** For a program that runs calls: `call` runs some and ends, `stay` keeps running and so loads sources at once and watches files. */
export interface RunOptions
  extends CommonOptions, Pick<AssembleOptions, "passesSampling" | "hooks" | "around" | "only"> {
  readonly need: "call" | "stay";
  /** Reads AGENTS.md and the like, for agents; default: false. */
  readonly readsInstructions?: boolean;
  /** Servers of the program that started this one, written as in a config; those of the user's config with the same name win. */
  readonly mcpServers?: McpSettings["servers"];
  /** Rules of this run, such as those of flags, over the rules of files. */
  readonly ruleLayer?: RuleLayer;
  /** True for a worker of a fleet: it sends no calls to the fleet. */
  readonly isWorker?: boolean;
  /** Are asked at once, with the queue; the first answer counts. */
  readonly approvers: readonly Approver[];
  /** False: other programs, such as `toolwright approve`, cannot answer. Default: true. */
  readonly asksQueue?: boolean;
  /** Returns the listener that receives every event from the first on. */
  readonly log?: (config: ConfigGroups<"log">) => Listener | undefined;
  readonly extensionLog?: (config: ConfigGroups<"environment">) => Log | undefined;
}

/** The tools of a config for inspection, and what was found on the way. */
export interface Look extends Assembly {
  readonly config: Config;
  readonly trusted: Trusted;
  readonly rules: ConfiguredRules;
}

/** An engine as the config describes it, with its store. `close` closes everything that was opened. */
export interface Host extends Look {
  readonly store: Store;
  /** The calls that wait; answers of this process and of others. */
  readonly queue: ApprovalQueue;
  readonly approver: JoinedApprover;
  /** Judges what is no call of a tool, in the current mode. */
  readonly judge: Policy["judge"];
  /** Returns the sandbox that programs run in now. */
  readonly sandbox: () => Sandbox["kind"] | "none";
  /** Undefined unless the config has an endpoint for it. */
  readonly telemetry: HostTelemetry | undefined;
  /** The tools of the workspace's session, which a host for single calls has restored. */
  readonly chosenTools: ChosenTools;
  /** What of the folder is off, and the instructions in use; no instructions unless they were asked for. */
  readonly folderTrust: FolderTrust;
  /** Returns the current approval mode. */
  readonly mode: () => Mode;
  /** Changes the approval mode; rules and trust stay as they are. Throws `INVALID_INPUT` for an unknown mode. */
  setMode(mode: Mode): void;
  /** Returns what happens now to commands that no rule allows. */
  readonly level: () => Level;
  /** Changes that for later calls. Rejects with `UNAVAILABLE`, and changes nothing, if the level would have no effect here. */
  setLevel(level: Level): Promise<void>;
}
