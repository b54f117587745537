import type { Approval, ApprovalRequest, Approver, PendingCall } from "../../core/approval.ts";
import type { Provided, AgentInfo, InnerOptions } from "../../core/context.ts";
import type { Cuts } from "../../core/cuts.ts";
import type { Listener } from "../../core/events.ts";
import type { Around, Executor } from "../../core/executor.ts";
import type { Grants } from "../../core/grant.ts";
import type { Hook } from "../../core/hook.ts";
import type { Mode, Policy, Ceiling } from "../../core/policy.ts";
import type { Subject } from "../../core/subject.ts";
import type { UntrustedTexts } from "../../core/session/untrusted-texts.ts";
import type { Artifacts } from "../../core/store/artifacts.ts";
import type { CallUsage, Journal, JournalEntry } from "../../core/store/journal.ts";
import type { AnyTool } from "../../core/tool.ts";
import type { ToolCall } from "../../core/call.ts";
import type { PathWord } from "../../core/command.ts";
import type { PathFact } from "../../core/fact.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Masker } from "../../secrets/mask.ts";

/** Options of one call. */
export interface RunOptions extends Pick<InnerOptions, "maxBytes"> {
  /** `return`: a call that needs approval is suspended, and a `PendingCall` is returned at once. Default: wait for the approver. */
  readonly whenAsked?: "wait";
  /** What a person has decided on this call beforehand; it counts if the call needs approval, in place of the approver. */
  readonly decision?: Approval;
  /**
   * The call needs no approval; rules that deny it hold. `person`: a person typed or approved it. `engine`: a rule or a proof of another
   * engine allows it, so that it runs with the same protection here: see `Verdict.isGuarded`. Calls that it makes are judged as any others.
   */
  readonly approvedBy?: "person" | "engine";
  /** The user on whose behalf the call runs, by id, or with groups and roles for rules that name some: lasting approvals hold for the same user only. */
  readonly subject?: string | Subject;
  /** What the call cost: its share of the model's answer that asked for it. The journal stores it. */
  readonly usage?: CallUsage;
  readonly signal?: AbortSignal;
  readonly session?: string;
  /** The agent that makes the call, with values for tools that override those of the engine. */
  readonly agent?: AgentInfo & { readonly context?: readonly Provided[] };
  readonly context?: readonly Provided[];
  /** Overrides the limits of the tool and of the engine, for all attempts together. */
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** The executor of this place runs the call, whatever the place of its tool. Default: the place of the tool. */
  readonly place?: string;
  /** Limits this call and every call it makes, outermost first: a child never has more rights than its parents. */
  readonly ceilings?: readonly Ceiling[];
  /** False leaves untrusted text unmarked, for an answer that goes to a person or is marked later. Default: true. */
  readonly fence?: boolean;
}

/** Options of one call that is suspended if it needs approval. */
export interface SuspendOptions extends Omit<RunOptions, "whenAsked"> {
  readonly whenAsked: "return";
}

/** Options of a resumed call: what cannot be stored. */
export type ResumeOptions = Pick<RunOptions, "signal" | "context" | "agent">;

/** Options of one call inside the engine: those of its caller, and what the engine itself adds for a call of a running tool. */
export interface CallOptions extends Omit<RunOptions, "whenAsked"> {
  readonly whenAsked?: "wait" | "return";
  /** The id of the call whose tool makes this call. */
  readonly parentId?: string;
  /** The nesting depth of a call made by a tool. */
  readonly depth?: number;
  /** Keys of the calls that were approved together with the call that makes this one. */
  readonly approvedCalls?: ReadonlySet<string> | undefined;
  /** True if an outer call holds a slot of a tool that limits its calls. */
  readonly holdsSlot?: boolean;
  /** Stops the deadlines of the calls around this one while an approver decides. */
  readonly whileAsked?: <T>(answer: Promise<T>) => Promise<T>;
  /** The slot of a call that runs together with others; given up while the call waits for approval. */
  readonly slot?: Slot;
  /** The decision on a suspended call. */
  readonly resumed?: Resumed;
}

/** A suspended call that goes on with a decision. */
export interface Resumed {
  readonly entry: JournalEntry;
  readonly decision: Approval;
  /** The hash and the rule of the request that was decided. */
  readonly request: ApprovalRequest;
  readonly rule: string;
  /** Keys of the calls that are approved together with it. */
  readonly approvedCalls: ReadonlySet<string> | undefined;
}

/** One of a limited number of slots. */
export interface Slot {
  /** Passes the slot to another call. */
  leave(): void;
  /** Waits for a slot again. */
  enter(): Promise<void>;
}

/** The order of calls that run together. */
export interface RunOrder {
  /** `safe`: in parallel where effects allow; `all`: always in parallel; false: one after the other. Default: safe. */
  readonly parallel?: false | "safe" | "all";
  /** The number of calls that run at a time. */
  readonly concurrency?: number;
}

/** Options of many calls. */
export type RunAllOptions = RunOptions & RunOrder;

/** Runs one call through the pipeline. Never rejects. */
export interface Run {
  (call: ToolCall, options?: RunOptions): Promise<ToolResult>;
  (call: ToolCall, options: SuspendOptions): Promise<ToolResult | PendingCall>;
}

/** Runs many calls; the answers are in the order of the calls. Never rejects. */
export interface RunAll {
  (calls: readonly ToolCall[], options?: RunAllOptions): Promise<readonly ToolResult[]>;
  (
    calls: readonly ToolCall[],
    options: SuspendOptions & RunOrder,
  ): Promise<readonly (ToolResult | PendingCall)[]>;
}

/** Finds the canonical target of a path that a command names. */
export type ResolvePath = (word: PathWord) => Promise<PathFact>;

/** How calls are retried that may be: those without effects, and idempotent ones. */
export interface Retry {
  readonly attempts: number;
  /** The longest wait before the second attempt; a wait is random, from half of that. */
  readonly firstWaitMs: number;
  /** How many times longer each further wait may be. */
  readonly factor: number;
}

/** The options of an engine without a policy of its own. */
export type OptionsWithPolicy = EngineOptions & { readonly policy: Policy };

/** Every option has a default. Without a store nothing is written to disk; without an approver, calls that need approval are denied. */
export interface EngineOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]> {
  /** Registered at the start; `call` knows their names and types. */
  readonly tools?: Tools;
  /** The approval mode. Default: auto. */
  readonly mode?: Mode;
  /** Returns the approval mode for each call when it is judged, for a mode that changes. Default: `mode`, or that of `policy`. */
  readonly currentMode?: () => Mode;
  /** Folders that file tools may touch; `createEngine` follows links in them. Default: none. */
  readonly workspace?: readonly string[];
  /** Replaces the built-in policy over `mode` and `workspace`. */
  readonly policy?: Policy;
  /** Decides calls that need approval. Without an approver they are denied. */
  readonly approver?: Approver;
  /** Denies a call that no approver has decided after this time. Default: 5 minutes. */
  readonly approvalTimeoutMs?: number;
  /** Stores lasting approvals. Default: in memory. */
  readonly grants?: Grants;
  /** Remembers which sessions have text from outside. Default: as long as the engine lives. */
  readonly untrustedTexts?: UntrustedTexts;
  /** Replaces how the target of a path in a command is found. */
  readonly resolvePath?: ResolvePath;
  /** Run in this order at each hook point. */
  readonly hooks?: readonly Hook[];
  /** Wrap the execution of every call; the first is the outermost. */
  readonly around?: readonly Around[];
  readonly context?: readonly Provided[];
  /** Run the tools of their places. A tool whose place has none fails with `NO_EXECUTOR`. */
  readonly executors?: readonly Executor[];
  readonly journal?: Journal;
  readonly artifacts?: Artifacts;
  /** The deadline of each attempt of a call whose tool sets none; it counts execution only. Default: 30 s. */
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** Default: three attempts, one second before the second, twice as long before each further one. */
  readonly retry?: Partial<Retry>;
  /** The number of calls of one `runAll` that run at a time. Default: 16. */
  readonly concurrency?: number;
  /** The number of calls that run at a time, of all callers; the others wait. Default: no limit. */
  readonly maxRunning?: number;
  /**
   * Closes a session, with its grants, in which no call has run for this time; its rules and its parent hold for later calls. Default:
   * 12 hours.
   */
  readonly sessionIdleMs?: number;
  /** The sizes above which answers are truncated, by shape; docs/library.md has the defaults. */
  readonly cuts?: Partial<Cuts>;
  /** Values to mask wherever they appear. */
  readonly secrets?: readonly string[];
  /** Regular expressions of further secrets, by name; one that could take long on some text is refused. */
  readonly secretPatterns?: Readonly<Record<string, string>>;
  /** Masks both; for a program that masks text before the engine exists. Default: a new one. */
  readonly masker?: Masker;
  /** With `envelope` the model reads {"tool_success": …}. Default: plain. */
  readonly modelText?: "plain" | "envelope";
  /** Receives every event from the start. */
  readonly log?: Listener;
}
